"""Celery's worker and beat."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from n8n_scraper.core.extras import WORKERS
from n8n_scraper.stack.children import Program
from n8n_scraper.stack.health import Health
from n8n_scraper.stack.service import Service
from n8n_scraper.workers.worker_settings import WorkerSettings

if TYPE_CHECKING:
    import celery

_BEAT = r"^celerybeat@"
_WORKER = r"^(?!celerybeat@)"
"""How the names of those that are asked begin; beat answers the same question as a worker."""

_COMMAND = (sys.executable, "-m", "celery", "-A", "n8n_scraper.workers")


class Celery:
    """What both of them are asked and started with."""

    def __init__(
        self, settings: WorkerSettings, folder: Path, environment: Mapping[str, str]
    ) -> None:
        self._settings = settings
        self._folder = folder
        self._environment = environment

    def worker(self) -> Service:
        """Give the service of at least one worker, wherever it runs."""
        return self._service(
            "worker", _WORKER, "no work that is handed out is done", ("worker", "--loglevel=INFO")
        )

    def beat(self) -> Service:
        """Give the service of the one beat, wherever it runs."""
        schedule = self._folder / "beat-schedule"
        return self._service(
            *("beat", _BEAT, "nothing is done on a schedule"),
            ("beat", "--loglevel=INFO", f"--schedule={schedule}"),
        )

    def _service(self, name: str, pattern: str, prevents: str, words: tuple[str, ...]) -> Service:
        return Service(
            name=name,
            prevents=prevents,
            remedy=WORKERS.install if WORKERS.missing() else "",
            check=partial(self._ask, name, pattern),
            unneeded=None if self._settings.broker else "REDIS_URL is empty",
            needs=("redis", "broker"),
            program=None if WORKERS.missing() else Program((*_COMMAND, *words), self._environment),
        )

    def _ask(self, name: str, pattern: str, seconds: float) -> Health:
        """Say which of the processes whose names fit answers first."""
        from kombu.exceptions import KombuError

        try:
            with self._app.connection(self._settings.needed_broker.url) as connection:
                connection.ensure_connection(max_retries=1, timeout=seconds)
                answers = self._app.control.inspect(
                    timeout=seconds,
                    limit=1,
                    pattern=pattern,
                    matcher="pcre",
                    connection=connection,
                ).ping()
        except (KombuError, OSError) as error:
            return Health.unhealthy(f"the broker fails: {error}")
        if not answers:
            return Health.unhealthy(f"no {name} answers at the broker")
        return Health.healthy(f"{' '.join(answers)} answers")

    @cached_property
    def _app(self) -> celery.Celery:
        from n8n_scraper.workers.app import make_app

        return make_app(self._settings)

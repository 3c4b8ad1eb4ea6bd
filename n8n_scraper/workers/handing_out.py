"""Hand work out: the names of the tasks, and how a message gets to the broker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from n8n_scraper.workers.away import told_if_away

if TYPE_CHECKING:
    from celery import Celery

    from n8n_scraper.policies.run.chunks import Chunk

CHUNK = "n8n_scraper.chunk"
"""Works on a run, for at most one chunk of items."""
DISPATCH = "n8n_scraper.dispatch"
"""Dispatches what a line of the schedule says."""
TAKE_UP = "n8n_scraper.take_up"
"""Hands out anew what was handed out and is lost."""
SITES = "n8n_scraper.sites"
"""Hands out the sites of the sources file whose time has come."""

_RETRIES = {"max_retries": 3, "interval_start": 0, "interval_step": 0.5}


class Broker:
    """The queue in which messages wait for a worker."""

    def __init__(self, app: Celery, url: str) -> None:
        self._app = app
        # Celery takes the one of the environment before that of its configuration.
        self._url = url

    def send(self, *chunks: Chunk) -> None:
        """Hand chunks out."""
        for chunk in chunks:
            self._send(CHUNK, {name: value for name, value in asdict(chunk).items() if value})

    def ask_what_is_lost(self) -> None:
        """Let a worker look for runs whose messages are lost, and hand them out anew."""
        self._send(TAKE_UP, {})

    def is_empty(self) -> bool:
        """Whether no message waits for a worker."""
        with told_if_away(), self._app.connection(self._url) as connection:
            queue = self._app.conf.task_default_queue
            declared = connection.default_channel.queue_declare(queue=queue, durable=True)
            return int(declared.message_count) == 0

    def has_worker(self, seconds: float) -> bool:
        """Whether a worker answers; beat answers the same question."""
        with told_if_away(), self._app.connection(self._url) as connection:
            asked = self._app.control.inspect(
                timeout=seconds,
                limit=1,
                pattern="^(?!celerybeat@)",
                matcher="pcre",
                connection=connection,
            )
            return bool(asked.ping())

    def _send(self, task: str, message: Mapping[str, Any]) -> None:
        with told_if_away(), self._app.connection(self._url) as connection:
            self._app.send_task(
                task, kwargs=message, connection=connection, retry=True, retry_policy=_RETRIES
            )

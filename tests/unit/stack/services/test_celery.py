"""Worker and beat as services, before there are any; real ones are in the integration tests."""

import sys
from pathlib import Path

import pytest

from n8n_scraper.stack.health import State
from n8n_scraper.stack.services.celery import Celery
from n8n_scraper.testing.redis import OwnRedis
from n8n_scraper.workers.worker_settings import WorkerSettings
from tests.unit.stack.running import IN_VAIN

pytest.importorskip("celery")


def celery(url: str, folder: Path, **environment: str) -> Celery:
    settings = WorkerSettings.from_settings({"REDIS_URL": url, "CELERY_BROKER_URL": ""})
    return Celery(settings, folder, environment)


def test_without_a_broker_neither_is_needed(tmp_path: Path) -> None:
    given = celery("", tmp_path)

    assert given.worker().unneeded == given.beat().unneeded == "REDIS_URL is empty"


def test_at_a_broker_without_any_neither_is_healthy(redis: OwnRedis, tmp_path: Path) -> None:
    given = celery(redis.url, tmp_path)

    assert given.worker().check(IN_VAIN).words == "no worker answers at the broker"
    assert given.beat().check(IN_VAIN).words == "no beat answers at the broker"


def test_a_broker_that_is_gone_is_told(redis: OwnRedis, tmp_path: Path) -> None:
    redis.stop()

    health = celery(redis.url, tmp_path).worker().check(IN_VAIN)

    assert health.state is State.UNHEALTHY
    assert health.words.startswith("the broker fails: ")


def test_what_only_this_command_was_told_is_told_to_them(tmp_path: Path) -> None:
    program = celery("redis://one", tmp_path, REDIS_URL="redis://one").worker().program

    assert program is not None
    assert program.environment == {"REDIS_URL": "redis://one"}


def test_without_celery_it_is_told_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "celery", None)  # as where it is not installed

    service = celery("redis://one", tmp_path).worker()

    assert service.program is None
    assert service.remedy == "pip install -r requirements-workers.txt"

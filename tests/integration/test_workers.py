"""What is promised of a task, kept by real workers with a real Redis."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from n8n_scraper.testing.redis import OwnRedis
from tests.crawling import PROJECT, child, wait_until

pytest.importorskip("celery")
pytestmark = pytest.mark.full_speed
CELERY = [sys.executable, "-m", "celery", "-A", "n8n_scraper.workers"]


@dataclass
class Workers:
    """A worker with two processes, and whoever hands out work to it."""

    redis: OwnRedis
    app: Any
    log: Path

    def send(self, task: str, *arguments: str) -> None:
        self.app.send_task(f"tests.celery_tasks.{task}", arguments)


@pytest.fixture
def workers(redis: OwnRedis, tmp_path: Path) -> Iterator[Workers]:
    from n8n_scraper.workers.app import make_app
    from n8n_scraper.workers.worker_settings import WorkerSettings

    told = {"REDIS_URL": redis.url, "CELERY_BROKER_URL": ""}
    app = make_app(WorkerSettings.from_settings(told))
    command = [*CELERY, "worker", "--concurrency=2", "--loglevel=INFO"]
    command += ["--include=tests.celery_tasks", "--without-mingle", "--without-gossip"]
    log = tmp_path / "worker.log"
    with log.open("w") as said:
        environment = {**os.environ, **told}
        with child(command, cwd=PROJECT, env=environment, stdout=said, stderr=said):
            wait_until(lambda: " ready." in log.read_text(), 60)
            yield Workers(redis, app, log)
    app.close()


def lines(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []


def test_work_is_done_once_and_no_result_goes_through_the_broker(
    workers: Workers, tmp_path: Path
) -> None:
    from redis import Redis

    workers.send("note", str(tmp_path / "done"))

    wait_until(lambda: "succeeded" in workers.log.read_text())
    assert len(lines(tmp_path / "done")) == 1
    with Redis.from_url(workers.redis.url) as redis:
        wait_until(lambda: not redis.exists("unacked"))
        assert not list(redis.scan_iter("celery-task-meta-*"))
        assert redis.llen("n8n_scraper") == 0


def test_work_whose_process_is_killed_is_done_by_another(workers: Workers, tmp_path: Path) -> None:
    done = tmp_path / "done"
    workers.send("linger", str(done))
    wait_until(lambda: lines(done))

    os.kill(int(lines(done)[0]), signal.SIGKILL)

    wait_until(lambda: len(lines(done)) == 2)
    (tmp_path / "done.go").touch()
    wait_until(lambda: "succeeded" in workers.log.read_text())
    assert len(set(lines(done))) == 2


def test_work_under_way_goes_on_without_its_broker(workers: Workers, tmp_path: Path) -> None:
    done = tmp_path / "done"
    workers.send("linger", str(done))
    wait_until(lambda: lines(done))

    workers.redis.stop()
    wait_until(lambda: "Connection to broker lost" in workers.log.read_text())
    (tmp_path / "done.go").touch()

    wait_until(lambda: "succeeded" in workers.log.read_text())
    assert len(lines(done)) == 1


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"REDIS_URL": ""}, "REDIS_URL is empty: workers need a Redis, such as REDIS_URL=redis:"),
        ({"REDIS_URL": "redis"}, "REDIS_URL is no address of a Redis; write one such as redis:"),
        (
            {"REDIS_URL": "redis://one", "SCRAPING_HARD_TIME_LIMIT": "1"},
            "SCRAPING_HARD_TIME_LIMIT is 1; write more seconds than SCRAPING_SOFT_TIME_LIMIT has",
        ),
    ],
)
def test_settings_that_no_worker_can_work_with_cost_one_line(
    told: dict[str, str], said: str
) -> None:
    environment = {**os.environ, "CELERY_BROKER_URL": "", **told}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}

    with child([*CELERY, "worker"], cwd=PROJECT, env=environment, **streams) as worker:
        out, err = worker.communicate(timeout=60)

    assert (worker.returncode, out) == (2, "")
    assert err.startswith(f"scrapy: {said}")
    assert len(err.splitlines()) == 1

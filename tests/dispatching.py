"""Hand crawls of a stand-in to real workers, and kill some of what does them."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from n8n_scraper.stack.processes import Process, all_processes
from n8n_scraper.testing.redis import OwnRedis
from tests.crawling import PROJECT, Ran, child, rows, scrapy, site, wait_until

if TYPE_CHECKING:
    from n8n_scraper.sources.n8n.replica.running import RunningStandIn

WORKER = [sys.executable, "-m", "celery", "-A", "n8n_scraper.workers", "worker"]
WORKER += ["--concurrency=2", "--loglevel=INFO", "--without-mingle", "--without-gossip"]


@dataclass
class Works:
    """A database, a Redis, a site, and the workers that there are."""

    url: str
    redis: OwnRedis
    stand_in: "RunningStandIn"
    folder: Path
    stack: ExitStack
    settings: dict[str, str] = field(default_factory=dict)
    workers: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """What every process is told."""
        told = {"DATABASE_URL": self.url, "REDIS_URL": self.redis.url, "CELERY_BROKER_URL": ""}
        return {**site(self.stand_in), "SCRAPING_CHUNK_SIZE": "10", **told, **self.settings}

    @property
    def whole_environment(self) -> dict[str, str]:
        """The same, with what this process was told."""
        return {**os.environ, **self.environment}

    def dispatch(self, *words: str, seconds: float = 100) -> Ran:
        """Hand out, by the command."""
        return scrapy("dispatch", *words, environment=self.environment, seconds=seconds)

    def start_worker(self) -> subprocess.Popen[str]:
        """Start a worker with two processes."""
        log = self.folder / f"worker{len(self.workers) + 1}.log"
        said = self.stack.enter_context(log.open("w"))
        worker = self.stack.enter_context(
            child(WORKER, cwd=PROJECT, env=self.whole_environment, stdout=said, stderr=said)
        )
        self.workers.append(worker)
        wait_until(lambda: " ready." in log.read_text(), 60)
        return worker

    def send(self, task: str, *arguments: str) -> None:
        """Hand out what beat would."""
        from n8n_scraper.workers.app import make_app
        from n8n_scraper.workers.worker_settings import WorkerSettings

        app = make_app(WorkerSettings.from_settings(self.environment))
        with app.connection(self.redis.url) as connection:
            app.send_task(task, arguments, connection=connection)
        app.close()

    def log(self) -> str:
        """What all workers have said."""
        return "".join(one.read_text() for one in sorted(self.folder.glob("worker*.log")))

    def crawls(self) -> list[Process]:
        """The crawls of this archive that live."""
        mark = f"DATABASE_URL={self.url}".encode()
        return [one for one in all_processes() if " crawl " in one.command and one.carries(mark)]

    def ended(self, number: int) -> bool:
        """Whether so many items have ended."""
        [(done,)] = rows(self.url, "SELECT count(*) FROM scrape_run_items WHERE state = 'done'")
        return int(str(done)) >= number

    def job(self) -> dict[str, str]:
        """What Redis says of the one job."""
        from redis import Redis

        with Redis.from_url(self.redis.url, decode_responses=True) as redis:
            names = list(redis.scan_iter("scrape:*"))
            assert all(redis.ttl(name) > 0 for name in names)
            return {name.rpartition(":")[2]: str(redis.get(name)) for name in names}


@contextmanager
def works(
    url: str, redis: OwnRedis, stand_in: "RunningStandIn", folder: Path, **settings: str
) -> Iterator[Works]:
    """Have them for as long as the block lasts; no crawl may outlive it."""
    with ExitStack() as stack:
        one = Works(url, redis, stand_in, folder, stack, settings)
        yield one
    wait_until(lambda: not one.crawls())


def kill(process: Process) -> None:
    """Kill a process at once."""
    os.kill(process.pid, signal.SIGKILL)


def parent_of(process: Process) -> Process:
    """Give the process of the task that has started a crawl."""
    found = Process.of(process.parent)
    assert found is not None
    return found

"""Hand crawls of a stand-in to real workers, and kill some of what does them."""

import os
import signal
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from n8n_scraper.stack.processes import Process, all_processes
from n8n_scraper.testing.redis import OwnRedis
from tests.crawling import PROJECT, Ran, child, rows, scrapy, site, wait_until

if TYPE_CHECKING:
    from celery import Celery

    from n8n_scraper.policies.run.chunks import Chunk
    from n8n_scraper.sources.n8n.replica.running import RunningStandIn
    from tests.copying import Site

CELERY = [sys.executable, "-m", "celery", "-A", "n8n_scraper.workers"]


@dataclass
class Works:
    """A database, a Redis, a site, and the workers that there are."""

    url: str
    redis: OwnRedis
    stand_in: "RunningStandIn | Site"
    folder: Path
    stack: ExitStack
    settings: dict[str, str] = field(default_factory=dict)
    broker: OwnRedis | None = None
    """Where the queue is, if not in the same Redis."""
    processes: int = 2
    """How many a worker has."""
    tree: Path = PROJECT
    workers: list[subprocess.Popen[str]] = field(default_factory=list)
    beats: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """What every process is told."""
        told = {"DATABASE_URL": self.url, "REDIS_URL": self.redis.url}
        told["CELERY_BROKER_URL"] = self.broker.url if self.broker else ""
        return {**site(self.stand_in), "SCRAPING_CHUNK_SIZE": "10", **told, **self.settings}

    @property
    def whole_environment(self) -> dict[str, str]:
        """The same, with what this process was told."""
        return {**os.environ, **self.environment}

    @property
    def queue(self) -> OwnRedis:
        """The Redis in which the queue is, and how far each job is."""
        return self.broker or self.redis

    def dispatch(self, *words: str, seconds: float = 100) -> Ran:
        """Hand out, by the command."""
        return scrapy(
            *("dispatch", *words),
            environment=self.environment,
            seconds=seconds,
            folder=self.tree,
        )

    def start_worker(self) -> subprocess.Popen[str]:
        """Start a worker, and wait until it takes work."""
        name = f"worker{len(self.workers) + 1}"
        options = [f"--concurrency={self.processes}", "--without-mingle", "--without-gossip"]
        worker = self._start(name, "worker", *options)
        self.workers.append(worker)
        wait_until(lambda: " ready." in self._log(name), 60)
        return worker

    def start_beat(self) -> subprocess.Popen[str]:
        """Start the process that hands out what is due."""
        name = f"beat{len(self.beats) + 1}"
        beat = self._start(name, "beat", f"--schedule={self.folder}/schedule")
        self.beats.append(beat)
        wait_until(lambda: "beat: Starting" in self._log(name), 60)
        return beat

    def send(self, task: str, *arguments: str) -> None:
        """Hand out what beat would."""
        with self._app() as app, app.connection(self.queue.url) as connection:
            app.send_task(task, arguments, connection=connection)

    def send_chunk(self, chunk: "Chunk", times: int) -> None:
        """Hand out chunks that nobody has asked for."""
        from n8n_scraper.workers.handing_out import Broker

        with self._app() as app:
            Broker(app, self.queue.url).send(*[chunk] * times)

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
        [job] = self.jobs().values() or [{}]
        return job

    def jobs(self) -> dict[str, dict[str, str]]:
        """What Redis says of each job, for a while only."""
        from redis import Redis

        found: dict[str, dict[str, str]] = {}
        with Redis.from_url(self.queue.url, decode_responses=True) as redis:
            for name in redis.scan_iter("scrape:*"):
                assert redis.ttl(name) > 0
                _, job, field = name.split(":")
                found.setdefault(job, {})[field] = str(redis.get(name))
        return found

    def held_by(self, crawls: Collection[Process]) -> int:
        """Count the items that are in the hands of these crawls."""
        holders = rows(self.url, "SELECT worker FROM scrape_run_items WHERE state = 'claimed'")
        pids = {str(one.pid) for one in crawls}
        return sum(str(name).split(":")[1] in pids for (name,) in holders)

    @contextmanager
    def _app(self) -> "Iterator[Celery]":
        from n8n_scraper.workers.app import make_app
        from n8n_scraper.workers.worker_settings import WorkerSettings

        with make_app(WorkerSettings.from_settings(self.environment)) as app:
            yield app

    def _start(self, name: str, *words: str) -> subprocess.Popen[str]:
        said = self.stack.enter_context((self.folder / f"{name}.log").open("w"))
        command = [*CELERY, *words, "--loglevel=INFO"]
        return self.stack.enter_context(
            child(command, cwd=self.tree, env=self.whole_environment, stdout=said, stderr=said)
        )

    def _log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()


@contextmanager
def works(
    url: str,
    redis: OwnRedis,
    stand_in: "RunningStandIn | Site",
    folder: Path,
    *,
    broker: OwnRedis | None = None,
    processes: int = 2,
    tree: Path = PROJECT,
    **settings: str,
) -> Iterator[Works]:
    """Have them for as long as the block lasts; no crawl may outlive it."""
    with ExitStack() as stack:
        one = Works(url, redis, stand_in, folder, stack, settings, broker, processes, tree)
        yield one
    wait_until(lambda: not one.crawls(), every=0.1)


def kill(process: Process) -> None:
    """Kill a process at once."""
    os.kill(process.pid, signal.SIGKILL)


def parent_of(process: Process) -> Process:
    """Give the process of the task that has started a crawl."""
    found = Process.of(process.parent)
    assert found is not None
    return found

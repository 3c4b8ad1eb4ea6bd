"""Let several processes work on one run, and kill some of them now and then."""

import random
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from tests.crawling import rows, started, wait_until


@dataclass
class Crew:
    """The processes that work on one run."""

    stand_in: RunningStandIn
    url: str
    settings: dict[str, str]
    stack: ExitStack
    at_work: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def run_id(self) -> str:
        """The run that they share."""
        [(run_id,)] = rows(self.url, "SELECT run_id FROM scrape_runs")
        return str(run_id)

    def begin(self, *arguments: str) -> subprocess.Popen[str]:
        """Start the process that enters the run, and wait until others can join it."""
        first = self._start(*arguments)
        wait_until(lambda: _is_entered(self.url))
        return first

    def join(self) -> subprocess.Popen[str]:
        """Start one more."""
        return self._start("-a", f"run={self.run_id}")

    def kill(self, process: subprocess.Popen[str]) -> bool:
        """Kill one; False when it had ended before."""
        process.send_signal(signal.SIGKILL)
        self.at_work.remove(process)
        return process.wait() == -signal.SIGKILL

    def ends(self, seconds: float = 60) -> list[tuple[int, str]]:
        """Wait for all that are at work; give their exit statuses and what they said."""
        said = [process.communicate(timeout=seconds)[1] for process in self.at_work]
        return [
            (process.returncode, words) for process, words in zip(self.at_work, said, strict=True)
        ]

    def _start(self, *arguments: str) -> subprocess.Popen[str]:
        process = self.stack.enter_context(
            started(self.stand_in, self.url, *arguments, **self.settings)
        )
        self.at_work.append(process)
        return process


@contextmanager
def crew(stand_in: RunningStandIn, url: str, **settings: str) -> Iterator[Crew]:
    """A crew that is gone when the block is left."""
    with ExitStack() as stack:
        yield Crew(stand_in, url, settings, stack)


def decimate(crew: Crew, size: int, kills: int, *, most_requests: int, seed: int = 1) -> int:
    """Keep so many at work and kill one of them again and again; say how many kills landed."""
    chance, landed = random.Random(seed), 0
    crew.begin()
    for _ in range(kills):
        while len(crew.at_work) < size:
            crew.join()
        enough = crew.stand_in.stats()["requests"] + chance.randint(1, most_requests)
        wait_until(lambda enough=enough: crew.stand_in.stats()["requests"] >= enough, seconds=40)
        time.sleep(chance.uniform(0, 0.02))
        landed += crew.kill(chance.choice(crew.at_work))
    while len(crew.at_work) < size:
        crew.join()
    return landed


def last_words(said: str) -> list[str]:
    """How a crawl told its end, without the time at which it did."""
    return [line.split(" ", 3)[3] for line in said.strip().splitlines()[-2:]]


def _is_entered(url: str) -> bool:
    from sqlalchemy.exc import DBAPIError

    try:
        return bool(rows(url, "SELECT run_id FROM scrape_workers"))
    except DBAPIError:  # the tables are being made
        return False

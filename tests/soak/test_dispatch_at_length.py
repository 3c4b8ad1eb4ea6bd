"""Three hundred templates in the hands of workers, at fifty requests a second: `make soak`."""

import signal
import sys
import time
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path

import pytest

from n8n_scraper.testing.redis import OwnRedis
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import PROJECT, child, rows, wait_until
from tests.dispatching import Works, kill, parent_of, works
from tests.killing import judge_what_is_left, repeated
from tests.server_side import Log, achieved

pytest.importorskip("celery")
pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

TEMPLATES, RATE, BURST = 300, 50, 5
PACED = {"RATE_LIMIT_RATE": str(RATE), "RATE_LIMIT_BURST": str(BURST), "SCRAPING_CHUNK_SIZE": "50"}
BEFORE_IT_IS_KILLED = 60
MOST_REPEATED = 40
"""At most what all crawls together have in flight."""


def nothing(_here: Works) -> None:
    """Leave everything alone."""


def a_process_of_the_worker(here: Works) -> None:
    """Kill the process of a task."""
    kill(parent_of(here.crawls()[0]))


def the_whole_worker(here: Works) -> None:
    """Kill a worker, and start another one."""
    here.workers[0].send_signal(signal.SIGKILL)
    here.workers[0].wait()
    wait_until(lambda: not here.crawls(), 5)
    here.start_worker()


def redis_with_all_that_is_in_it(here: Works) -> None:
    """Kill Redis, and start it empty."""
    here.redis.stop()
    here.redis.start()


def most_in_a_second(log: Log) -> int:
    """Count the requests of the worst second."""
    times = sorted(record["t"] for record in log)
    return max(index + 1 - bisect_left(times, at - 1) for index, at in enumerate(times))


@pytest.mark.parametrize(
    "harm",
    [nothing, a_process_of_the_worker, the_whole_worker, redis_with_all_that_is_in_it],
)
def test_three_hundred_templates_whatever_is_killed(
    harm: Callable[[Works], None], database_url: str, redis: OwnRedis, tmp_path: Path
) -> None:
    with (
        running_stand_in(templates=TEMPLATES) as stand_in,
        works(database_url, redis, stand_in, tmp_path, **PACED) as here,
    ):
        here.start_worker()
        command = [sys.executable, "-m", "scrapy", "dispatch", "workflows", "--wait"]
        with child(command, cwd=PROJECT, env=here.whole_environment) as waiting:
            wait_until(lambda: stand_in.stats()["requests"] > 0, 60)
            wait_until(lambda: here.ended(BEFORE_IT_IS_KILLED), 60)
            harmed = time.monotonic()
            harm(here)
            before = len(stand_in.log())
            wait_until(lambda: len(stand_in.log()) > before + BURST, 300)
            recovered = time.monotonic() - harmed
            waiting.communicate(timeout=300)

        log = stand_in.log()
        print(
            f"\n{harm.__name__}: {recovered:.1f} s until it went on, "
            f"{repeated(log)} requests repeated, {most_in_a_second(log)} in the worst second, "
            f"{achieved(log, RATE, BURST):.2f} of the allowed used"
        )
        assert waiting.returncode == 0, here.log()
        judge_what_is_left(stand_in, database_url)
        assert most_in_a_second(log) <= RATE + BURST
        assert repeated(log) <= (0 if harm is nothing else MOST_REPEATED)
        assert rows(database_url, "SELECT status FROM scrape_runs") == [("finished",)]
        wait_until(lambda: here.job()["status"] == "COMPLETE")

"""Three hundred templates in the hands of workers, at fifty requests a second: `make soak`."""

import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from n8n_scraper.policies.run.chunks import Chunk
from n8n_scraper.stack.processes import Process
from n8n_scraper.testing.redis import OwnRedis, own_redis
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import PROJECT, child, rows, wait_until
from tests.dispatching import Works, kill, parent_of, works
from tests.killing import judge_what_is_left, repeated
from tests.server_side import Log, achieved, longest_pause, most_in_a_second

if TYPE_CHECKING:
    from n8n_scraper.sources.n8n.replica.running import RunningStandIn

pytest.importorskip("celery")
pytestmark = [pytest.mark.long, pytest.mark.real_start, pytest.mark.timeout(900)]

TEMPLATES, RATE, BURST = 300, 50, 5
PACED = {"RATE_LIMIT_RATE": str(RATE), "RATE_LIMIT_BURST": str(BURST), "SCRAPING_CHUNK_SIZE": "50"}
PROCESSES = 4
BEFORE_IT_IS_KILLED = 60
MOST_REPEATED = 40
"""At most what all crawls together have in flight."""
AT_ONCE_SECONDS = 10.0
"""In which what a dead process held is taken up on the same machine, however busy that is."""


def a_process_of_the_worker(here: Works) -> None:
    """Kill the process of a task, whose crawl dies with it."""
    crawl = at_work(here)[0]
    kill(parent_of(crawl))
    wait_until(lambda: crawl not in here.crawls(), 5)


def the_whole_worker(here: Works) -> None:
    """Kill a worker with all its processes, and start another one."""
    here.workers[0].send_signal(signal.SIGKILL)
    here.workers[0].wait()
    wait_until(lambda: not here.crawls(), 5)
    here.start_worker()


def beat(here: Works) -> None:
    """Kill what hands out what is due, and start another one."""
    here.beats[0].send_signal(signal.SIGKILL)
    here.beats[0].wait()
    here.start_beat()


def redis_with_all_that_is_in_it(here: Works) -> None:
    """Kill Redis, in which are pace, circuit, progress and queue, and start it empty."""
    here.redis.stop()
    here.redis.start()


def the_broker(here: Works) -> None:
    """Kill the Redis of the queue alone, and start it empty."""
    here.queue.stop()
    here.queue.start()


@pytest.fixture
def broker(redis: OwnRedis) -> Iterator[OwnRedis]:
    """A second Redis, for the queue."""
    with own_redis() as server:
        yield server


@pytest.fixture
def stand_in() -> Iterator["RunningStandIn"]:
    """The site that all of them ask."""
    with running_stand_in(templates=TEMPLATES) as site:
        yield site


def at_work(here: Works) -> list[Process]:
    """Give the crawls that hold items; what they compute is done by children of theirs."""
    return [one for one in here.crawls() if here.held_by([one])]


def told(what: str, log: Log, *more: str) -> None:
    """Say what came of it, for the figures."""
    print(
        f"\n{what}: {most_in_a_second(log)} in the worst second, "
        f"{achieved(log, RATE, BURST):.3f} of the allowed used, "
        f"{repeated(log)} requests repeated",
        *more,
        sep=", ",
    )


def judge(here: Works) -> None:
    """Demand that every template was had once, that the pace was kept, and that all has ended."""
    judge_what_is_left(here.stand_in, here.url)
    assert most_in_a_second(here.stand_in.log()) <= RATE + BURST
    assert rows(here.url, "SELECT status FROM scrape_runs") == [("finished",)]
    wait_until(lambda: here.job()["status"] == "COMPLETE")
    wait_until(lambda: not here.crawls())


def test_three_hundred_templates_at_all_that_is_allowed(
    database_url: str, redis: OwnRedis, stand_in: "RunningStandIn", tmp_path: Path
) -> None:
    with works(database_url, redis, stand_in, tmp_path, processes=PROCESSES, **PACED) as here:
        here.start_worker()

        ran = here.dispatch("workflows", "--wait", seconds=300)

        told("undisturbed", stand_in.log())
        assert ran.status == 0, here.log()
        judge(here)
        assert achieved(stand_in.log(), RATE, BURST) >= 0.95
        assert repeated(stand_in.log()) == 0


@pytest.mark.parametrize(
    "harm",
    [a_process_of_the_worker, the_whole_worker, beat, redis_with_all_that_is_in_it, the_broker],
)
def test_three_hundred_templates_whatever_is_killed(
    harm: Callable[[Works], None],
    database_url: str,
    redis: OwnRedis,
    broker: OwnRedis,
    stand_in: "RunningStandIn",
    tmp_path: Path,
) -> None:
    queue = broker if harm is the_broker else None
    given = {**PACED, "broker": queue, "processes": PROCESSES}
    with works(database_url, redis, stand_in, tmp_path, **given) as here:
        # Given a run that is under way in all processes of a worker
        here.start_worker()
        here.start_beat()
        command = [sys.executable, "-m", "scrapy", "dispatch", "workflows", "--wait"]
        with child(command, cwd=PROJECT, env=here.whole_environment) as waiting:
            wait_until(lambda: stand_in.stats()["requests"] > 0, 60, every=0.1)
            wait_until(lambda: here.ended(BEFORE_IT_IS_KILLED), 60, every=0.2)
            wait_until(lambda: len(at_work(here)) > 1, 60, every=0.2)

            # When something is killed
            alive, harmed = at_work(here), time.monotonic()
            harm(here)
            dead = [one for one in alive if one not in here.crawls()]
            wait_until(lambda: not here.held_by(dead), 300, every=0.1)
            recovered = time.monotonic() - harmed
            waiting.communicate(timeout=300)

        # Then the run comes to its end as if nothing had been
        pause = longest_pause([one for one in stand_in.log() if one["t"] >= harmed - 1])
        told(
            *(harm.__name__, stand_in.log(), f"longest pause then {pause:.1f} s"),
            f"{len(dead)} crawls died with it, taken up after {recovered:.1f} s",
        )
        assert waiting.returncode == 0, here.log()
        judge(here)
        assert repeated(stand_in.log()) <= MOST_REPEATED
        assert recovered <= AT_ONCE_SECONDS


def test_each_task_delivered_twice_and_in_wrong_order(
    database_url: str, redis: OwnRedis, stand_in: "RunningStandIn", tmp_path: Path
) -> None:
    from redis import Redis

    with works(database_url, redis, stand_in, tmp_path, processes=PROCESSES, **PACED) as here:
        # Given all messages of a run, the last ones first and each of them twice
        assert here.dispatch("workflows").status == 0
        [(run_id,)] = rows(database_url, "SELECT run_id FROM scrape_runs")
        here.send_chunk(Chunk(str(run_id), "workflows"), times=TEMPLATES // 50 - 1)
        with Redis.from_url(redis.url) as queue:
            messages = queue.lrange("n8n_scraper", 0, -1)
            queue.delete("n8n_scraper")
            for message in messages:
                queue.lpush("n8n_scraper", message, message)
        here.start_worker()

        ran = here.dispatch("workflows", "-a", "run=last", "--wait", seconds=300)

        told("twice and in wrong order", stand_in.log())
        assert ran.status == 0, here.log()
        judge(here)
        assert repeated(stand_in.log()) == 0

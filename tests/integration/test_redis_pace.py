"""Crawls that share a Redis, judged by the log of the one site that they ask together."""

import signal
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.redis import OwnRedis
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import rows, scrapy, started, wait_until
from tests.politeness import warm_up
from tests.server_side import achieved, overdraft, statuses

pytest.importorskip("redis")
pytestmark = pytest.mark.full_speed
RATE = 20
AT_ONCE_AGAIN = '{"server_error": {"base_seconds": 0.01}}'


def crawling(
    stack: ExitStack, stand_in: RunningStandIn, url: str, number: int, redis: OwnRedis, **more: str
) -> subprocess.Popen[str]:
    """Start one of two crawls, each with its half of the templates."""
    ids = ",".join(map(str, stand_in.ids[number::2]))
    given = {"RATE_LIMIT_RATE": str(RATE), "REDIS_URL": redis.url} | more
    return stack.enter_context(started(stand_in, url, "-a", f"ids={ids}", **given))


def end_of(process: subprocess.Popen[str]) -> str:
    _, said = process.communicate(timeout=110)
    assert process.returncode in (0, 3), said
    return said


@pytest.mark.timed
def test_crawls_of_two_archives_share_one_pace_in_redis(redis: OwnRedis, tmp_path: Path) -> None:
    with running_stand_in(templates=30) as stand_in, ExitStack() as stack:
        warm_up(stand_in)
        urls = [f"sqlite:///{tmp_path}/{number}.db" for number in range(2)]
        running = [crawling(stack, stand_in, url, number, redis) for number, url in enumerate(urls)]
        for process in running:
            end_of(process)
        log = stand_in.log()

    assert statuses(log) == {200: 2 * 3 + 3 * 30}
    assert overdraft(log, RATE, 5) < 1
    assert achieved(log, RATE, 5) >= 0.95


@pytest.mark.timed
@pytest.mark.parametrize("away_seconds", [0.0, pytest.param(6.0, marks=pytest.mark.further)])
def test_a_redis_that_is_killed_in_mid_crawl_and_comes_back_empty_makes_no_burst(
    redis: OwnRedis, sqlite_url: str, away_seconds: float
) -> None:
    # Given two crawls of one archive that share their pace in Redis
    with running_stand_in(templates=50) as stand_in, ExitStack() as stack:
        warm_up(stand_in)
        running = [crawling(stack, stand_in, sqlite_url, number, redis) for number in range(2)]
        wait_until(lambda: len(stand_in.log()) >= 40, 60)

        # When it is killed, and started again with nothing in it
        redis.stop(signal.SIGKILL)
        if away_seconds:
            asked = len(stand_in.log())
            wait_until(lambda: len(stand_in.log()) >= asked + RATE * away_seconds / 2, 60)
        redis.start()
        said = [end_of(process) for process in running]
        log = stand_in.log()

    # Then all is crawled, and never faster than the site allows
    assert rows(sqlite_url, "SELECT outcome, count(*) FROM scrape_run_items GROUP BY outcome") == [
        ("complete", 50)
    ]
    assert overdraft(log, RATE, 5) < 1  # not one request too early
    if away_seconds:
        for one in said:
            assert one.count("until it is back each site is asked at this worker's share") == 1
            assert "1/2" in one
            assert one.count("Redis is back: all workers keep one pace again") == 1


def test_commands_tell_of_the_circuits_in_redis_and_close_them(
    redis: OwnRedis, sqlite_url: str
) -> None:
    # Given a crawl that leaves its site alone for ten minutes
    told = {"DATABASE_URL": sqlite_url, "REDIS_URL": redis.url}
    with running_stand_in(templates=10) as stand_in, ExitStack() as stack:
        stand_in.control(faults=[{"kind": "503", "path": "/workflows/"}])
        more = {"CIRCUIT_BREAKER_HOLD": "600", "RETRY_RULES": AT_ONCE_AGAIN}
        process = crawling(stack, stand_in, sqlite_url, 0, redis, **more)
        wait_until(
            lambda: "127.0.0.1: open for" in scrapy("breaker", "list", environment=told).out,
            60,
            every=0.5,
        )
        assert "127.0.0.1" in scrapy("status", environment=told).out
        stand_in.control(faults=[])

        # When a person resets it
        reset = scrapy("breaker", "reset", "127.0.0.1", environment=told)
        said = end_of(process)

    # Then it goes on
    assert reset.status == 0
    assert "may be asked again: its circuit was reset by hand" in said


def test_commands_say_in_one_line_that_redis_is_away(redis: OwnRedis, sqlite_url: str) -> None:
    told = {"DATABASE_URL": sqlite_url, "REDIS_URL": redis.url}
    redis.stop()

    listed = scrapy("breaker", "list", environment=told)

    assert listed.status == 0
    assert "how domains stand there is not known" in listed.err

"""Several crawls on one database, judged by the log of the one site that they ask together."""

import random
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import rows, scrapy, started, wait_until
from tests.politeness import warm_up
from tests.server_side import ON_THE_WIRE, Log, achieved, overdraft, statuses

pytestmark = [pytest.mark.full_speed, pytest.mark.further_on("sqlite")]

NEWS = 0.5 + ON_THE_WIRE
"""Seconds in which what one crawl has heard is known to all; what left before is on the wire."""


def crawl_together(
    stand_in: RunningStandIn, url: str, crawls: int, **settings: object
) -> list[str]:
    """Let so many crawls get their share of the templates at the same time; give what they say."""
    given = {name: str(value) for name, value in settings.items()}
    with ExitStack() as stack:
        running = [
            stack.enter_context(started(stand_in, url, *_share(stand_in, number, crawls), **given))
            for number in range(crawls)
        ]
        return [_end_of(process) for process in running]


def _share(stand_in: RunningStandIn, number: int, crawls: int) -> Sequence[str]:
    ids = ",".join(map(str, stand_in.ids[number::crawls]))
    return "-a", f"ids={ids}"


def _end_of(process: subprocess.Popen[str]) -> str:
    _, said = process.communicate(timeout=110)
    assert process.returncode in (0, 3), said
    return said


def outcomes(url: str) -> dict[str, int]:
    return dict(rows(url, "SELECT outcome, count(*) FROM scrape_run_items GROUP BY outcome"))


@pytest.mark.timed
def test_two_crawls_of_different_templates_send_together_what_is_allowed(
    database_url: str,
) -> None:
    with running_stand_in(templates=30) as stand_in:
        warm_up(stand_in)

        crawl_together(stand_in, database_url, 2, RATE_LIMIT_RATE=10)
        log = stand_in.log()

    assert statuses(log) == {200: 2 * 3 + 3 * 30}
    assert overdraft(log, 10, 5) < 1
    assert achieved(log, 10, 5) >= 0.95
    assert outcomes(database_url) == {"complete": 30}


@pytest.mark.timed
def test_four_crawls_that_are_killed_again_and_again_overdraw_by_no_token(
    sqlite_url: str, tmp_path: Path
) -> None:
    chance = random.Random(4)
    with running_stand_in(templates=40) as stand_in, ExitStack() as stack:
        warm_up(stand_in)

        def start(number: int) -> subprocess.Popen[str]:
            state = ("-s", f"JOBDIR={tmp_path}/state-{number}")
            arguments = (*_share(stand_in, number, 4), *state)
            return stack.enter_context(
                started(stand_in, sqlite_url, *arguments, RATE_LIMIT_RATE="20")
            )

        running = [start(number) for number in range(4)]
        for _ in range(5):
            asked = len(stand_in.log())
            wait_until(lambda asked=asked: len(stand_in.log()) >= asked + 10, 60)
            number = chance.randrange(4)
            running[number].send_signal(signal.SIGKILL)
            running[number].communicate()
            running[number] = start(number)
        for process in running:
            _end_of(process)
        log = stand_in.log()

    assert overdraft(log, 20, 5) < 1
    done = rows(
        sqlite_url, "SELECT count(DISTINCT item_id) FROM scrape_run_items WHERE state = 'done'"
    )
    assert done == [(40,)]


@pytest.mark.timed
def test_what_the_server_tells_one_crawl_all_obey(sqlite_url: str) -> None:
    # Given a site that bears a quarter of what we were told, and asks to be left alone then
    window = 2.0
    with running_stand_in(
        templates=10, enforce_rate=5, enforce_burst=5, retry_after=f"{window:g}"
    ) as stand_in:
        crawl_together(stand_in, sqlite_url, 2, RATE_LIMIT_RATE=20)
        log = stand_in.log()

    # Then its windows hold for both, and both learn what it bears
    assert outcomes(sqlite_url) == {"complete": 10}
    assert _inside_windows(log, window) == 0
    assert 1 <= statuses(log)[429] <= 8
    [(learned,)] = rows(sqlite_url, "SELECT learned_rate FROM domains")
    assert 2 < learned < 10


def _inside_windows(log: Log, seconds: float) -> int:
    """How many came though all could know that the site wants to be left alone."""
    refused = [record for record in log if record["status"] == 429]
    windows = [(one["ended"] + NEWS, one["t"] + seconds) for one in refused]
    return sum(any(begin < record["t"] < end for begin, end in windows) for record in log)


def held_for(seconds: float, gap: float) -> bool:
    """Tell whether nothing came before a hold was over, nor as late as after the next longer one.

    A busy machine may take half a second for a probe.
    """
    return seconds - 0.1 <= gap < 2 * seconds


@pytest.mark.timed
def test_one_open_circuit_stops_all_and_one_of_them_sends_the_probe(database_url: str) -> None:
    # Given a site that goes away while two crawl it, and is back after the second hold
    outage = {"kind": "503", "path": "/workflows/", "after": 40, "in_all": 10_000}
    with running_stand_in(templates=30, faults=[outage]) as stand_in:
        with ExitStack() as stack:
            running = [
                stack.enter_context(
                    started(
                        stand_in,
                        database_url,
                        *_share(stand_in, number, 2),
                        RATE_LIMIT_RATE="20",
                        CIRCUIT_BREAKER_HOLD="2",
                    )
                )
                for number in range(2)
            ]
            opened = "SELECT count(*) FROM domains WHERE circuit_hold_seconds >= 4"
            wait_until(lambda: rows(database_url, opened) == [(1,)], 60, every=0.1)
            stand_in.control(faults=[])
            for process in running:
                assert "is left alone for" in _end_of(process)
        log = stand_in.log()

    # Then after the failures that opened it nothing came but one probe after each hold
    lost = [record for record in log if record["status"] == 503]
    *_, first_hold, second_hold = lost
    gaps = [later["t"] - earlier["ended"] for earlier, later in pairwise(lost)]
    long = [gap for gap in gaps if gap > NEWS]
    assert len(long) == 1
    assert held_for(2, long[0])
    back = log[log.index(second_hold) + 1]
    assert back["status"] == 200
    assert held_for(4, back["t"] - second_hold["ended"])
    assert first_hold["t"] - lost[0]["t"] < 2 + NEWS + 2
    assert outcomes(database_url) == {"complete": 30}


def test_a_circuit_that_is_reset_by_hand_is_closed_for_crawls_under_way(sqlite_url: str) -> None:
    # Given a crawl that leaves its site alone for ten minutes
    with running_stand_in(templates=10) as stand_in:
        stand_in.control(faults=[{"kind": "503", "path": "/workflows/"}])
        with started(stand_in, sqlite_url, CIRCUIT_BREAKER_HOLD="600") as process:
            left_alone = "SELECT count(*) FROM domains WHERE circuit_hold_seconds > 0"
            wait_until(lambda: rows(sqlite_url, left_alone) == [(1,)], 60, every=0.1)
            stand_in.control(faults=[])

            # When a person resets it
            scrapy("breaker", "reset", "127.0.0.1", environment={"DATABASE_URL": sqlite_url})
            began = time.monotonic()
            said = _end_of(process)

    # Then it goes on at once
    assert "may be asked again: its circuit was reset by hand" in said
    assert time.monotonic() - began < 60
    assert outcomes(sqlite_url) == {"complete": 10}

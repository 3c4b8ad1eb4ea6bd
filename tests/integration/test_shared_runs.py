"""Several processes on one run: nothing lost, nothing doubled, and all tell the same end."""

import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import Ran, crawl, rows, scrapy, stored, wait_until
from tests.killing import (
    expire_lease,
    freeze,
    judge_what_is_left,
    repeated,
)
from tests.sharing import Crew, crew, decimate, last_words

pytestmark = [pytest.mark.full_speed, pytest.mark.further_on("sqlite")]

# Each item has one request on its way at a time, whose answer is kept before the next one leaves.
IN_FLIGHT = 2
SLOWLY = {"ITEMS_UNDER_WAY": str(IN_FLIGHT)}


def requests(crew: Crew, number: int) -> Callable[[], bool]:
    """Say whether the site has seen so many requests."""
    return lambda: crew.stand_in.stats()["requests"] >= number


def held_by(crew: Crew, pid: int) -> int:
    holders = rows(crew.url, "SELECT worker FROM scrape_run_items WHERE state = 'claimed'")
    return sum(f":{pid}:" in str(worker) for (worker,) in holders)


def test_four_processes_of_which_one_is_killed_again_and_again(database_url: str) -> None:
    with (
        running_stand_in(templates=40, latency_ms=200) as stand_in,
        crew(stand_in, database_url, **SLOWLY) as four,
    ):
        landed = decimate(four, size=4, kills=6, most_requests=12)
        ends = four.ends()

        assert [status for status, _ in ends] == [0] * 4, ends
        assert len({tuple(last_words(said)) for _, said in ends}) == 1
        judge_what_is_left(stand_in, database_url)
        assert landed >= 5
        assert repeated(stand_in.log()) <= landed * IN_FLIGHT
        assert rows(database_url, "SELECT status FROM scrape_runs") == [("finished",)]


def test_a_process_that_sleeps_loses_its_items_to_the_other_and_goes_on(database_url: str) -> None:
    with (
        running_stand_in(templates=40, latency_ms=100) as stand_in,
        crew(stand_in, database_url, **SLOWLY) as two,
    ):
        # Given two processes, of which one is frozen for longer than its lease
        sleeper = two.begin()
        two.join()
        wait_until(lambda: held_by(two, sleeper.pid) > 0)
        wait_until(requests(two, 20))
        freeze(sleeper, database_url)
        held = held_by(two, sleeper.pid)
        expire_lease(database_url, sleeper.pid)

        # When the other one has taken what it held, and it wakes while work is left
        wait_until(lambda: held_by(two, sleeper.pid) == 0, seconds=60, every=0.1)
        sleeper.send_signal(signal.SIGCONT)
        ends = two.ends()

        # Then it drops these, says so of each that it had begun, and goes on to the same end
        assert [status for status, _ in ends] == [0, 0], ends
        lost = re.findall(r"(\d+) was taken down, or another process has taken it up", ends[0][1])
        assert 0 < len(set(lost)) == len(lost) <= held
        assert last_words(ends[0][1]) == last_words(ends[1][1])
        judge_what_is_left(stand_in, database_url)


def test_when_the_discovering_process_is_killed_another_goes_on_with_the_inventory(
    database_url: str,
) -> None:
    with (
        running_stand_in(templates=24, latency_ms=1500, sitemap="split") as stand_in,
        crew(stand_in, database_url) as two,
    ):
        # Given one that reads the inventory, and one that waits for what it brings
        first = two.begin()
        two.join()
        wait_until(lambda: rows(database_url, "SELECT count(*) FROM scrape_workers") == [(2,)])
        wait_until(lambda: sum("sitemap" in one["path"] for one in stand_in.log()) >= 2)

        # When the first one is killed before it is through
        assert rows(database_url, "SELECT discovered_at FROM scrape_runs") == [(None,)]
        assert two.kill(first)
        stand_in.control(latency_ms=0)

        # Then the other one reads it to its end, and everything is there once
        [(status, said)] = two.ends()
        assert status == 0, said
        judge_what_is_left(stand_in, database_url)
        positions = rows(
            database_url, "SELECT count(*), count(DISTINCT position) FROM scrape_run_items"
        )
        assert positions == [(24, 24)]


def test_one_of_two_can_be_stopped_and_the_other_one_ends_the_run(sqlite_url: str) -> None:
    with (
        running_stand_in(templates=40, latency_ms=60) as stand_in,
        crew(stand_in, sqlite_url, **SLOWLY) as two,
    ):
        stopped, other = two.begin(), two.join()
        wait_until(lambda: held_by(two, other.pid) > 0)
        wait_until(requests(two, 20))

        # When one of them is stopped
        stopped.send_signal(signal.SIGINT)
        _, said = stopped.communicate(timeout=20)

        # Then it gives back what it held, and says that the other one is at work
        assert stopped.returncode == 4, said
        assert "1 other worker still at work on it. To go on: scrapy crawl" in said
        assert f"-a run={two.run_id}" in said
        assert held_by(two, stopped.pid) == 0
        assert rows(sqlite_url, "SELECT status FROM scrape_runs") == [("running",)]

        # And the other one ends the run, which asks nothing twice
        two.at_work.remove(stopped)
        [(status, words)] = two.ends()
        assert status == 0, words
        judge_what_is_left(stand_in, sqlite_url)
        assert repeated(stand_in.log()) == 0


@pytest.mark.further
def test_two_processes_share_the_budget_of_their_run(database_url: str) -> None:
    with running_stand_in(templates=40, latency_ms=250) as stand_in:
        with crew(stand_in, database_url, **SLOWLY) as two:
            two.begin("-a", "mode=update", "-a", "budget=60")
            two.join()
            wait_until(requests(two, 20))
            # Given a third in the place of one that was killed
            two.kill(two.at_work[0])
            two.join()
            ends = two.ends()

        # Then all three together have sent no more than that, and not much less
        assert [status for status, _ in ends] == [0, 0], ends
        assert 40 <= len(stand_in.log()) <= 60
        assert last_words(ends[0][1]) == last_words(ends[1][1])
        assert rows(database_url, "SELECT status FROM scrape_runs") == [("finished",)]


@pytest.mark.further
def test_what_failed_is_told_alike_by_all_that_worked_on_it(sqlite_url: str) -> None:
    quick = {"RETRY_RULES": '{"server_error": {"base_seconds": 0.01}}'}
    with (
        running_stand_in(templates=40, latency_ms=50) as stand_in,
        crew(stand_in, sqlite_url, **SLOWLY, **quick) as three,
    ):
        stand_in.control(faults=[{"kind": "500", "path": f"workflows/{stand_in.ids[7]}$"}])
        three.begin()
        three.join()
        three.join()
        ends = three.ends()

    assert [status for status, _ in ends] == [3, 3, 3], ends
    words = {tuple(last_words(said)) for _, said in ends}
    assert len({one[0] for one in words}) == 1
    assert all("1 could not be had in full" in one[1] for one in words)


def test_a_run_that_was_stopped_is_gone_on_with_by_its_name(sqlite_url: str) -> None:
    with running_stand_in(templates=12) as stand_in:
        # Given a run without a directory, with arguments of its own, that was stopped
        first = crawl(
            stand_in, sqlite_url, "-a", "limit=9", "-s", "CLOSESPIDER_ITEMCOUNT=3", **SLOWLY
        )
        assert first.status == 1
        assert re.search(r"To go on: scrapy crawl workflows -a run=\S+", first.err)

        # When another process joins it
        second = crawl(stand_in, sqlite_url, "-a", "run=last")

    # Then it does what that one was asked for, in the same run
    assert second.status == 0, second.err
    assert len(stored(sqlite_url)) == 9
    assert rows(sqlite_url, "SELECT status FROM scrape_runs") == [("finished",)]
    assert rows(sqlite_url, "SELECT count(*) FROM scrape_workers") == [(2,)]


def test_a_process_can_take_so_many_and_leave_the_rest_to_others(sqlite_url: str) -> None:
    with running_stand_in(templates=12) as stand_in:
        first = crawl(stand_in, sqlite_url, "-s", "ITEMS_AT_MOST=5")
        assert first.status == 4, first.err
        assert len(stored(sqlite_url)) == 5
        second = crawl(stand_in, sqlite_url, "-a", "run=last", "-s", "ITEMS_AT_MOST=5")
        assert second.status == 4, second.err
        assert len(stored(sqlite_url)) == 10

        last = crawl(stand_in, sqlite_url, "-a", "run=last", "-s", "ITEMS_AT_MOST=5")

        assert last.status == 0, last.err
        assert len(stored(sqlite_url)) == 12
        assert repeated(stand_in.log()) == 0


def test_who_works_on_a_run_can_be_seen_from_outside(sqlite_url: str) -> None:
    with (
        running_stand_in(templates=40, latency_ms=100) as stand_in,
        crew(stand_in, sqlite_url, **SLOWLY) as two,
    ):
        first, second = two.begin(), two.join()
        wait_until(lambda: held_by(two, second.pid) > 0)
        two.kill(first)

        told = scrapy("status", "--json", environment={"DATABASE_URL": sqlite_url})
        said = scrapy("status", environment={"DATABASE_URL": sqlite_url})

        found = {one["pid"]: one for one in json.loads(told.out)["run"]["workers"]}
        assert {pid: one["presence"] for pid, one in found.items()} == {
            first.pid: "lost",
            second.pid: "alive",
        }
        assert found[second.pid]["held"] > 0
        assert {one["host"] for one in found.values()} == {os.uname().nodename}
        assert f"{second.pid} · alive" in said.out
        assert f"{first.pid} · lost" in said.out


@dataclass(frozen=True)
class Stopped:
    """An archive whose only run was stopped at its first template, and the site of it."""

    stand_in: RunningStandIn
    url: str


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stopped]:
    """The run of thirty templates that nobody may join who asks for something else."""
    url = f"sqlite:///{tmp_path_factory.mktemp('stopped')}/a.db"
    with running_stand_in(templates=40) as stand_in:
        crawl(stand_in, url, "-a", "limit=30", "-s", "CLOSESPIDER_ITEMCOUNT=1")
        yield Stopped(stand_in, url)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("-a", "run=last", "-a", "limit=5"), "was asked for limit=30"),
        (("-a", "run=last", "-a", "chain=lean"), "was asked for no chain"),
        (("-a", "run=20200101T000000-beef"), "there is no run '20200101T000000-beef'"),
        (("-a", "run=last", "-s", "JOBDIR=state"), "leave one of them out"),
        (("-a", "run=last", "-s", "N8N_SITE_URL=http://127.0.0.1:9"), "is of http://127.0.0.1"),
    ],
)
def test_a_run_that_does_not_fit_is_not_joined(
    arguments: tuple[str, ...], says: str, stopped: Stopped
) -> None:
    ran = crawl(stopped.stand_in, stopped.url, *arguments)

    is_refused(ran, says)


def test_a_finished_run_is_not_joined(sqlite_url: str) -> None:
    with running_stand_in(templates=3) as stand_in:
        assert crawl(stand_in, sqlite_url).status == 0

        ran = crawl(stand_in, sqlite_url, "-a", "run=last")

    is_refused(ran, "is finished, and nothing is left to do in it")


def test_where_there_is_no_archive_there_is_nothing_to_join(tmp_path: Path) -> None:
    with running_stand_in(templates=3) as stand_in:
        ran = crawl(stand_in, f"sqlite:///{tmp_path}/a.db", "-a", "run=last")

    is_refused(ran, "no run is in this database yet")
    assert not (tmp_path / "a.db").exists()


def is_refused(ran: Ran, says: str) -> None:
    assert ran.status == 2, ran.err
    assert says in ran.err
    assert len(ran.err.strip().splitlines()) == 1

"""The stored answers read anew by a command: equal where nothing is better, whatever happens."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from n8n_scraper.ledger.address import parse_url
from n8n_scraper.ledger.database import Database
from n8n_scraper.sources.n8n.replica.changes import Changes
from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.stand_in import running_stand_in
from n8n_scraper.testing.video_host import running_video_host
from tests.crawling import PROJECT, Ran, child, crawl, rows, scrapy, started, wait_until
from tests.unit.records.rereading import given
from tests.upgrade.earlier_archive import rows_at

pytestmark = [pytest.mark.full_speed, pytest.mark.further_on("postgresql")]

QUICK = 'RETRY_RULES={"server_error": {"attempts": 1}, "truncated": {"attempts": 1}}'
ODD = ("404", "500", "soft_404", "wrong_id", "truncated", "captcha_word")
OLDER = "UPDATE workflows SET title = 'Older', views = 0"
FIRST, MANY, FEW = 100_000, 400, 24
TABLES_OF_ITS_OWN = ("receipts", "rereadings")


def reread(url: str, *arguments: str, **settings: str) -> Ran:
    return scrapy("reread", *arguments, environment={"DATABASE_URL": url, **settings})


def found(url: str, *arguments: str, **settings: str) -> dict[str, object]:
    """What a rereading says of itself to a machine."""
    ran = reread(url, "--json", *arguments, **settings)
    assert ran.err == "", ran.err
    told: dict[str, object] = json.loads(ran.out)
    assert told["status"] == ran.status
    return told


def contents(url: str) -> dict[str, list[dict[str, object]]]:
    """Every row of every table but of those that only those who write have."""
    every = rows_at(url)
    return {name: every[name] for name in every if name not in TABLES_OF_ITS_OWN}


def write(url: str, statement: str) -> None:
    engine = create_engine(parse_url(url))
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def titles(url: str) -> dict[str, object]:
    return dict(rows(url, "SELECT workflow_id, title FROM workflows"))  # type: ignore[arg-type]


def test_what_crawls_have_stored_is_read_anew_as_it_is(database_url: str) -> None:
    # Given an archive with all that crawls leave: whole and lean chains, edits, answers that fail
    # or are another's, values kept from before, findings that nobody wanted, words of videos
    url = database_url
    with running_stand_in(templates=20, seed=1) as stand_in, running_video_host() as videos:
        words = {"TRANSCRIPTS": "crawl", "VIDEO_HOST_URL": videos.url, "TRANSCRIPT_RATE": "0"}
        ids = stand_in.ids
        assert crawl(stand_in, url, **words).status == 0
        edited = dict.fromkeys(ids[::3], 1)
        stand_in.control(
            faults=[{"kinds": ODD, "share": 0.3, "path": "/workflows/"}],
            changes=Changes(edited=edited, removed=frozenset({ids[5]}), renamed={ids[7]: "New"}),
        )
        some = ",".join(map(str, ids[:14]))
        assert crawl(stand_in, url, "-a", f"ids={some}", "-s", QUICK, **words).status == 3
        stand_in.control(faults=[], changes=Changes(edited=edited | {ids[2]: 2}))
        lean = ("-a", "mode=update", "-a", "limit=10")
        assert crawl(stand_in, url, *lean, REDACT="off").status == 0
    before = contents(url)
    assert len(before["workflows"]) == 20
    assert {row["outcome"] for row in before["workflows"]} == {"complete", "partial"}
    assert any(row["transcripts"] for row in before["workflows"])
    assert any("REDACT" in row["unobserved"].get("secrets", "") for row in before["workflows"])

    # When they are read anew
    looked = found(url, "--dry-run", REDACT="off")
    done = found(url, REDACT="off")

    # Then every row of every table is what it was
    assert (looked["read"], looked["fields"], looked["status"]) == (20, {}, 0)
    assert (done["read"], done["changed"], done["unreadable"], done["status"]) == (20, 0, {}, 0)
    assert contents(url) == before
    # And who wants the findings that a crawl has left out gets them
    assert "secrets" in found(url, "--dry-run")["fields"]  # type: ignore[operator]


@pytest.fixture(scope="module")
def stand_in() -> Iterator[RunningStandIn]:
    """A stand-in with so few templates that they can be crawled again and again."""
    with running_stand_in(templates=FEW) as server:
        yield server


@pytest.fixture(scope="module")
def crawled(stand_in: RunningStandIn, tmp_path_factory: pytest.TempPathFactory) -> str:
    """An archive of the stand-in's templates."""
    url = f"sqlite:///{tmp_path_factory.mktemp('crawled')}/archive.db"
    assert crawl(stand_in, url).status == 0
    return url


@pytest.fixture
def archive(crawled: str, copy_of: Callable[[str], str]) -> str:
    """A copy of it that a test may change."""
    return copy_of(crawled)


@pytest.fixture(scope="module")
def read_worse(url_of_module: str) -> str:
    """An archive of each kind with so many templates that reading them takes a while, all worse."""
    database = Database(url_of_module)
    given.crawl(database, *map(str, range(FIRST, FIRST + MANY)))
    database.close()
    write(url_of_module, OLDER)
    return url_of_module


@pytest.fixture
def many(read_worse: str, copy_of: Callable[[str], str]) -> str:
    """A copy of it that a test may change."""
    return copy_of(read_worse)


def test_what_an_older_reader_had_otherwise_is_told_by_field_and_put_right(
    archive: str, stand_in: RunningStandIn
) -> None:
    # Given rows as an older reader would have made them
    before = contents(archive)
    write(archive, f"{OLDER} WHERE length(workflow_id) = 1")
    write(archive, "UPDATE workflows SET author = NULL, categories = NULL WHERE workflow_id = '9'")
    few = sum(len(number) == 1 for number in titles(archive))
    changed = {"title": few, "views": few, "author": 1, "categories": 1}

    # When somebody only looks, then the fields are named and nothing is stored
    older = contents(archive)
    looked = reread(archive, "--dry-run")
    one = reread(archive, "--dry-run", "-a", "ids=9")
    assert (looked.status, one.status) == (0, 0)
    assert f"{few} would change, {FEW - few} as before." in looked.out.splitlines()[0]
    told = {
        line.split()[0]: int(line.split()[1].rstrip(":")) for line in looked.out.splitlines()[1:]
    }
    assert told == changed
    assert '9  title\n  - "Older"\n  + ' in one.out
    assert "without --dry-run" in looked.err
    assert contents(archive) == older

    # When they are read anew, then all is as it was, and no version and no event has come of it
    done = found(archive)
    assert (done["changed"], done["status"]) == (few, 0)
    assert {name: one["items"] for name, one in done["fields"].items()} == changed  # type: ignore
    assert contents(archive) == before

    # And the next crawl finds that nothing has happened
    events = rows(archive, "SELECT count(*) FROM item_events")
    assert crawl(stand_in, archive, "-a", "mode=update").status == 0
    assert rows(archive, "SELECT count(*) FROM item_events") == events
    assert rows(archive, "SELECT max(version) FROM item_versions") == [(1,)]


def started_rereading(url: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "scrapy", "reread"]
    environment = {**os.environ, "DATABASE_URL": url}
    return child(
        command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def reached(url: str) -> tuple[str, int]:
    """Up to which item it is through, and how many those are."""
    found = rows(url, "SELECT after, items FROM rereadings")
    return found[0] if found else ("", 0)  # type: ignore[return-value]


def children_of(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def are_gone(pids: list[int]) -> bool:
    """Whether none of these processes does anything any more."""
    states = []
    for one in pids:
        try:
            states.append(Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[0])
        except (FileNotFoundError, ProcessLookupError):
            states.append("Z")
    return set(states) <= {"Z"}


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_kill_leaves_whole_blocks_and_the_same_command_goes_on(many: str) -> None:
    # Given a rereading that is killed again and again
    through = []
    for _ in range(3):
        earlier = reached(many)[1]
        with started_rereading(many) as running:
            wait_until(lambda least=earlier: reached(many)[1] > least + 25)
            processes = children_of(running.pid)
            running.send_signal(signal.SIGKILL)
            running.wait()
            wait_until(partial(are_gone, processes))

        # Then all up to where it has come is put right, and nothing else
        after, items = reached(many)
        through.append(items)
        right = {one for one, title in titles(many).items() if title != "Older"}
        assert right == {one for one in titles(many) if one <= after}
        assert len(right) == items
        assert items % 25 == 0

    # When the same command is given once more, then it reads the rest, and only that
    rest = found(many)
    assert through == sorted(set(through))
    assert (rest["read"], rest["done"], rest["total"]) == (MANY - through[-1], MANY, MANY)
    assert "Older" not in titles(many).values()
    assert rows(many, "SELECT count(*) FROM rereadings") == [(0,)]


@pytest.mark.further
def test_who_stops_it_is_told_how_to_go_on(many: str) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        earlier = reached(many)[1]
        with started_rereading(many) as running:
            wait_until(lambda least=earlier: reached(many)[1] > least + 25)
            running.send_signal(number)
            out, err = running.communicate()

        items = reached(many)[1]
        assert running.returncode == 4
        assert f"stopped after {items} of {MANY}; the same command goes on." in err
        assert f"{items - earlier} templates read anew" in out
        assert "Traceback" not in err

    # And other readers begin anew
    write(many, "UPDATE rereadings SET readers = 'older ones'")
    assert found(many, "--dry-run")["read"] == MANY
    assert found(many)["read"] == MANY


@pytest.mark.further
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_process_that_is_killed_is_told_and_the_same_command_goes_on(many: str) -> None:
    with started_rereading(many) as running:
        wait_until(lambda: reached(many)[1] > 25)
        os.kill(children_of(running.pid)[0], signal.SIGKILL)
        _, err = running.communicate()

    assert running.returncode == 1
    assert err == (
        "scrapy: broken off: a process has ended with status -9; the same command goes on.\n"
    )
    items = reached(many)[1]
    assert 25 < items < MANY
    assert found(many)["read"] == MANY - items


def test_a_crawl_beside_it_loses_nothing_and_wins(many: str, stand_in: RunningStandIn) -> None:
    # Given a crawl that stores its templates again while all are read anew
    url, ids = many, f"ids={','.join(map(str, stand_in.ids))}"
    assert crawl(stand_in, url, "-a", ids).status == 0
    write(url, OLDER)
    with started(stand_in, url, "-a", ids, RATE_LIMIT_RATE="60") as running:
        wait_until(lambda: len(rows(url, "SELECT DISTINCT run_id FROM workflows")) > 2)
        done = found(url)
        running.communicate()

    # Then each is as the crawl has stored it, or as it is read today, which is the same
    assert (running.returncode, done["status"], done["read"]) == (0, 0, MANY + FEW)
    runs = dict(rows(url, "SELECT run_id, count(*) FROM workflows GROUP BY run_id"))
    assert sorted(runs.values()) == [FEW, MANY]
    assert "Older" not in titles(url).values()
    assert found(url, "--dry-run")["changed"] == 0


def test_what_makes_no_sense_costs_one_line(archive: str, tmp_path: Path) -> None:
    refused = {
        ("-a", "ids=x"): (2, "x is no id of templates"),
        ("-a", "ids=404404"): (2, "none of these templates is stored."),
        ("-a", "since=x"): (2, "-a since=x: write a day"),
        ("-a", "limit=3"): (2, "-a limit=… is no argument of this command"),
        ("-a", "ids"): (2, "-a takes NAME=VALUE"),
        ("--source", "n9n"): (2, "'n9n' is no source"),
        ("all",): (2, "'all' means nothing here"),
    }
    for arguments, (status, words) in refused.items():
        ran = reread(archive, *arguments)
        assert (ran.status, ran.out, len(ran.err.splitlines())) == (status, "", 1), arguments
        assert words in ran.err

    nowhere = reread(f"sqlite:///{tmp_path}/none.db")
    assert (nowhere.status, nowhere.err.count("\n")) == (2, 1)
    assert not (tmp_path / "none.db").exists()


def test_a_source_that_has_nothing_stored_is_through_at_once(archive: str) -> None:
    ran = reread(archive, "--source", "hk_events")

    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("0 events read anew")

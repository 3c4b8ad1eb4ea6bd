"""The events of the open data, through the whole core: a source whose inventory has it all."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from n8n_scraper.sources.hk_events.invented import Changes, InventedEvents
from n8n_scraper.sources.hk_events.source import FILES
from n8n_scraper.sources.hk_events.stand_in import SCRIPT
from n8n_scraper.testing.hostile_site import Says, hostile_site
from n8n_scraper.testing.replica.running import Running, running
from n8n_scraper.testing.replica.switches import FaultRule
from tests.crawling import PROJECT, Ran, child, rows, scrapy, stored, wait_until
from tests.unit.sources.hk_events.given import events_of

pytestmark = [pytest.mark.full_speed, pytest.mark.further_on("postgresql")]

MANY = 400
"""So many that a crawl of them is still at work when it is met in the middle."""
FORMS = ("jsonl", "json", "csv", "parquet", "xml")
XML = {"Content-Type": "application/xml"}
SAMPLES = ("lcsd_venues.xml", "lcsd_eventDates.xml", "lcsd_events.xml")
ONLY_SQLITE = pytest.mark.parametrize("url_of_module", ["sqlite"], indirect=True)
"""Where one kind of database proves as much as two."""


@pytest.fixture(scope="module")
def sixty() -> Iterator[Running[InventedEvents]]:
    with running(SCRIPT, 60, kind=Running) as sixty:
        yield sixty


@pytest.fixture
def stand_in(sixty: Running[InventedEvents]) -> Iterator[Running[InventedEvents]]:
    """The stand-in with nothing asked of it yet, whose switches are turned back afterwards."""
    sixty.reset()
    yield sixty
    sixty.control(**SCRIPT.switches().model_dump(mode="json"))


@dataclass(frozen=True)
class Crawled:
    """What a crawl of all sixty events leaves behind."""

    url: str
    ran: Ran
    folder: Path
    asked: list[str]


@pytest.fixture(scope="module")
def crawled(
    sixty: Running[InventedEvents], url_of_module: str, tmp_path_factory: pytest.TempPathFactory
) -> Crawled:
    """A crawl into each kind of database, and into a feed of every format; for all to look at."""
    folder = tmp_path_factory.mktemp("feeds")
    feeds = [argument for form in FORMS for argument in ("-O", f"{folder}/events.{form}")]
    sixty.reset()
    ran = crawl(sixty.url, url_of_module, *feeds)
    assert ran.status == 0, ran.err
    return Crawled(url_of_module, ran, folder, asked(sixty))


@pytest.fixture
def archive(crawled: Crawled, copy_of: Callable[[str], str]) -> str:
    """A copy of its archive that a test may change."""
    return copy_of(crawled.url)


def at(url: str, database_url: str, **settings: str) -> dict[str, str]:
    here = {"HK_EVENTS_URL": url.rstrip("/"), "DATABASE_URL": database_url, "RATE_LIMIT_RATE": "0"}
    return {**here, "LOG_LEVEL": "INFO", **settings}


def crawl(url: str, database_url: str, *arguments: str, **settings: str) -> Ran:
    return scrapy("crawl", "hk_events", *arguments, environment=at(url, database_url, **settings))


def asked(stand_in: Running[InventedEvents]) -> list[str]:
    """The files that were asked for, in their order."""
    paths = [str(entry["path"]) for entry in stand_in.log()]
    return [path.rpartition("/")[2] for path in paths if not path.endswith("robots.txt")]


def told(database_url: str) -> list[tuple[object, ...]]:
    """What history tells, in its order."""
    return rows(database_url, "SELECT item_id, kind FROM item_events ORDER BY id")


def feed_of(path: Path) -> dict[str, dict[str, object]]:
    return {item["event_id"]: item for item in map(json.loads, path.read_text().splitlines())}


def files_of(stock: InventedEvents) -> dict[str, Says]:
    made = (stock.venues_file(), stock.dates_file(), stock.events_file())
    return {f"/{name}": Says(body, headers=XML) for name, body in zip(FILES, made, strict=True)}


def test_every_event_is_stored_and_in_the_feed_after_three_requests(
    crawled: Crawled, sixty: Running[InventedEvents]
) -> None:
    assert crawled.asked == list(FILES)
    items, stock = feed_of(crawled.folder / "events.jsonl"), sixty.stock.events
    assert set(items) == set(stock)
    assert rows(crawled.url, "SELECT event_id FROM events ORDER BY event_id") == [
        (one,) for one in sorted(stock)
    ]
    one = next(event for event in stock.values() if event.start)
    assert items[one.event_id]["venue"]["venue_id"] == one.venue_id
    assert items[one.event_id]["start"].endswith("Z")
    assert items[one.event_id]["run_id"] != "none"
    assert rows(crawled.url, "SELECT count(*), min(part) FROM raw_answers") == [(60, "event")]
    assert rows(crawled.url, "SELECT count(*) FROM scrape_run_answers") == [(0,)]


def test_an_export_of_the_archive_is_the_feed_of_the_crawl(
    crawled: Crawled, tmp_path: Path
) -> None:
    export, here = tmp_path / "export.jsonl", {"DATABASE_URL": crawled.url}

    which = ("--source", "hk_events", "--format", "jsonl", "--output", str(export))
    exported = scrapy("export", *which, environment=here)
    known = scrapy("quality", "--source", "hk_events", environment=here)

    assert exported.status == 0, exported.err
    assert feed_of(export) == feed_of(crawled.folder / "events.jsonl")
    assert known.out.startswith("60 events of hk_events")


@ONLY_SQLITE
@pytest.mark.parametrize("form", FORMS)
def test_a_feed_of_every_format_has_every_event(crawled: Crawled, form: str) -> None:
    assert f"Stored {form} feed (60 items)" in crawled.ran.err
    assert (crawled.folder / f"events.{form}").stat().st_size > 10_000


def test_the_files_can_be_parsed_without_a_database(
    stand_in: Running[InventedEvents], tmp_path: Path
) -> None:
    database = tmp_path / "none.db"
    here = at(stand_in.url, f"sqlite:///{database}")

    ran = scrapy("parse", "-d", "3", f"{stand_in.url}/events.xml", environment=here)
    other = scrapy("parse", f"{stand_in.url}/robots.txt", environment=here)

    assert ran.status == 0, ran.err
    assert ran.out.count("'event_id':") == 60
    assert other.status == 2
    assert "is none of the files venues.xml, eventDates.xml, events.xml" in other.err
    assert not database.exists()


def test_progress_and_ending_speak_of_events(crawled: Crawled) -> None:
    assert "10 of 60 events (17 %): 10 complete" in crawled.ran.err
    assert "60 of 60 events ended: 60 complete." in crawled.ran.err
    assert "template" not in crawled.ran.err
    status = scrapy("status", environment={"DATABASE_URL": crawled.url})
    assert "60 of 60 events (100 %): 60 complete" in status.out
    assert "template" not in status.out


def test_a_killed_crawl_goes_on_from_what_it_has_kept_and_asks_for_no_file_again(
    database_url: str, tmp_path: Path
) -> None:
    state = ("-s", f"JOBDIR={tmp_path}/state")
    with running(SCRIPT, MANY, kind=Running) as stand_in:
        # Given a crawl that is killed in the middle
        with started(stand_in.url, database_url, *state) as killed:
            done = "SELECT count(*) FROM scrape_run_items WHERE state = 'done'"
            wait_until(lambda: has(database_url, done, least=25))
            killed.send_signal(signal.SIGKILL)
            killed.wait()
        [(before,)] = rows(database_url, done)
        assert 25 <= before < MANY

        # When the same command is given again, with the site gone
        stand_in.control(outage="refuse")
        ran = crawl(stand_in.url, database_url, *state)

        # Then it finishes the run from what it has
        assert ran.status == 0, ran.err
        assert f"{before} of {MANY} ended" in ran.err
        assert asked(stand_in) == list(FILES)
        assert rows(database_url, "SELECT count(*) FROM events") == [(MANY,)]
        assert rows(database_url, "SELECT count(*) FROM item_events") == [(MANY,)]
        assert rows(database_url, "SELECT status FROM scrape_runs") == [("finished",)]
        assert rows(database_url, "SELECT count(*) FROM scrape_run_answers") == [(0,)]


@pytest.mark.further
def test_a_stopped_crawl_ends_at_once_and_goes_on_by_the_same_command(
    sqlite_url: str, tmp_path: Path
) -> None:
    state = ("-s", f"JOBDIR={tmp_path}/state")
    with running(SCRIPT, MANY, kind=Running) as stand_in:
        with started(stand_in.url, sqlite_url, *state) as stopped:
            done = "SELECT count(*) FROM scrape_run_items WHERE state = 'done'"
            wait_until(lambda: has(sqlite_url, done, least=25))
            stopped.send_signal(signal.SIGTERM)
            assert stopped.wait(timeout=30) == 4

        ran = crawl(stand_in.url, sqlite_url, *state)

    assert ran.status == 0, ran.err
    assert rows(sqlite_url, "SELECT count(*) FROM item_events") == [(MANY,)]


@pytest.mark.further
def test_a_second_worker_takes_its_share_of_the_events_and_asks_for_no_file(
    database_url: str, tmp_path: Path
) -> None:
    with running(SCRIPT, MANY, kind=Running) as stand_in:
        with started(stand_in.url, database_url, "-s", f"JOBDIR={tmp_path}/state") as one:
            done = "SELECT count(*) FROM scrape_run_items WHERE state = 'done'"
            wait_until(lambda: has(database_url, done, least=25))
            other = crawl(stand_in.url, database_url, "-a", "run=last")
            assert one.wait(timeout=30) == 0

        assert other.status == 0, other.err
        assert asked(stand_in) == list(FILES)
        assert rows(database_url, "SELECT count(*) FROM events") == [(MANY,)]
        assert rows(database_url, "SELECT count(*) FROM item_events") == [(MANY,)]


def test_what_has_changed_at_the_site_is_all_that_history_tells(
    stand_in: Running[InventedEvents], archive: str
) -> None:
    # Given events that were crawled twice without a change
    assert crawl(stand_in.url, archive).status == 0
    assert told(archive) == [(one, "new") for one in stand_in.stock.events]

    # When some are edited, retitled, removed and added
    renamed, edited, removed = list(stand_in.stock.events)[3:6]
    changes = Changes(
        added=1,
        removed=frozenset((removed,)),
        retitled={renamed: "Something Else"},
        edited={edited: 1},
    )
    stand_in.control(changes=changes)
    assert crawl(stand_in.url, archive, "-a", "mode=update").status == 0

    # Then just that is told, and there is one version more of what was edited or retitled
    [added] = set(stand_in.stock.events) - {one for one, _ in told(archive)[:60]}
    assert set(told(archive)[60:]) == {
        (removed, "removed"),
        (renamed, "renamed"),
        (edited, "changed"),
        (added, "new"),
    }
    versions = "SELECT item_id FROM item_versions WHERE version = 2 ORDER BY item_id"
    assert rows(archive, versions) == [(renamed,), (edited,)]
    gone = "SELECT event_id FROM events WHERE removed_at IS NOT NULL AND NOT in_inventory"
    assert rows(archive, gone) == [(removed,)]

    # And when all is as it was, the removed one is back, and the added one is gone
    stand_in.control(changes=Changes(retitled={renamed: "Something Else"}, edited={edited: 1}))
    assert crawl(stand_in.url, archive).status == 0
    assert set(told(archive)[64:]) == {(removed, "returned"), (added, "removed")}


def test_an_update_with_a_limit_begins_with_what_is_new_or_renamed(
    stand_in: Running[InventedEvents], archive: str
) -> None:
    renamed = list(stand_in.stock.events)[30]
    stand_in.control(changes=Changes(added=1, retitled={renamed: "Something Else"}))

    ran = crawl(stand_in.url, archive, "-a", "mode=update", "-a", "limit=2")

    assert ran.status == 0, ran.err
    assert {kind for _, kind in told(archive)[60:]} == {"new", "renamed"}
    assert "2 of 2 events ended: 2 complete." in ran.err
    assert rows(archive, "SELECT count(*) FROM scrape_run_answers") == [(0,)]


def test_a_budget_is_spent_on_the_files_and_events_cost_nothing(
    stand_in: Running[InventedEvents], database_url: str
) -> None:
    ran = crawl(stand_in.url, database_url, "-a", "mode=update", "-a", "budget=5")

    assert ran.status == 0, ran.err
    assert len(stand_in.log()) == 4  # robots.txt and the files
    assert "60 of 60 events ended: 60 complete." in ran.err


def test_only_the_ids_asked_for_are_stored_and_one_that_is_nowhere_is_gone(
    stand_in: Running[InventedEvents], database_url: str, tmp_path: Path
) -> None:
    feed = tmp_path / "some.jsonl"

    ran = crawl(stand_in.url, database_url, "-a", "ids=180007,42", "-O", str(feed))

    assert ran.status == 0, ran.err
    assert "2 of 2 events ended: 1 complete, 1 gone." in ran.err
    assert list(feed_of(feed)) == ["180007"]
    reasons = "SELECT item_id, outcome, reason FROM scrape_run_items ORDER BY item_id"
    assert rows(database_url, reasons) == [
        ("180007", "complete", None),
        ("42", "gone", "the files have no such event"),
    ]


def test_a_limit_takes_the_first_so_many(
    stand_in: Running[InventedEvents], database_url: str
) -> None:
    assert crawl(stand_in.url, database_url, "-a", "limit=5").status == 0

    first = [(one,) for one in list(stand_in.stock.events)[:5]]
    assert rows(database_url, "SELECT event_id FROM events ORDER BY event_id") == first


@ONLY_SQLITE
@pytest.mark.parametrize(
    ("file", "fault", "why"),
    [
        pytest.param("venues.xml", "truncated", "ResponseDataLossError", marks=pytest.mark.further),
        ("eventDates.xml", "empty", "bad content"),
        pytest.param("events.xml", "soft_404", "bad content", marks=pytest.mark.further),
        pytest.param("venues.xml", "404", "the site answered 404", marks=pytest.mark.further),
        pytest.param("eventDates.xml", "410", "the site answered 410", marks=pytest.mark.further),
        ("events.xml", "503", "503"),
    ],
)
def test_a_file_that_cannot_be_had_leaves_everything_as_it_was(
    stand_in: Running[InventedEvents],
    archive: str,
    file: str,
    fault: str,
    why: str,
    tmp_path: Path,
) -> None:
    feed, rule = tmp_path / "events.jsonl", FaultRule(kinds=(fault,), path=f".*/{file}")
    before = rows(archive, "SELECT * FROM events ORDER BY event_id")
    stand_in.control(faults=(rule.model_dump(mode="json"),))

    ran = crawl(stand_in.url, archive, "-O", str(feed), RETRY_RULES=ONCE)

    assert ran.status == 7
    [line] = [line for line in ran.err.splitlines() if "is not whole" in line]
    assert f"{file} could not be read" in line
    assert why in line
    assert "Traceback" not in ran.err
    assert feed.read_text() == ""
    assert rows(archive, "SELECT * FROM events ORDER BY event_id") == before
    assert told(archive) == [(one, "new") for one in stand_in.stock.events]
    assert rows(archive, "SELECT status FROM scrape_runs ORDER BY started_at") == [
        ("finished",),
        ("failed",),
    ]


ONCE = json.dumps({category: {"attempts": 1} for category in ("bad_content", "server_error")})


def test_a_file_in_place_of_another_is_named(tmp_path: Path) -> None:
    answers = files_of(InventedEvents(20))
    answers["/events.xml"] = answers["/venues.xml"]
    with hostile_site(answers) as site:
        ran = crawl(site.url, f"sqlite:///{tmp_path}/a.db")

    assert ran.status == 7
    assert "The list of events is not whole: events.xml: a <venues> where <events> was" in ran.err
    assert "Traceback" not in ran.err


def test_a_stock_without_an_event_is_the_sites_fault(tmp_path: Path) -> None:
    answers = files_of(InventedEvents(20)) | {
        "/events.xml": Says(b'<?xml version="1.0"?>\n<events>\n</events>\n', headers=XML)
    }
    with hostile_site(answers) as site:
        ran = crawl(site.url, f"sqlite:///{tmp_path}/a.db")

    assert ran.status == 7
    assert f"The inventory of {site.url} lists no event at all." in ran.err


def test_a_stock_cut_to_a_tenth_removes_nothing(sqlite_url: str) -> None:
    with hostile_site(files_of(InventedEvents(40))) as site:
        assert crawl(site.url, sqlite_url).status == 0
        site.answers.update(files_of(InventedEvents(4)))

        ran = crawl(site.url, sqlite_url)

    assert ran.status == 0
    assert "The site's list of events lacks 36 of the 40 that the archive has" in ran.err
    assert rows(sqlite_url, "SELECT count(*) FROM events WHERE removed_at IS NULL") == [(40,)]


def test_one_event_that_cannot_be_read_fails_alone_and_can_be_tried_again(
    sqlite_url: str, tmp_path: Path
) -> None:
    # Given a stock in which one event has an id that is none
    state = ("-s", f"JOBDIR={tmp_path}/state")
    stock = InventedEvents(20)
    answers = files_of(stock)
    events = stock.events_file().replace(b'id="180003"', b'id="18x"')
    answers["/events.xml"] = Says(events, headers=XML)
    with hostile_site(answers) as site:
        ran = crawl(site.url, sqlite_url, *state)

        # Then it alone is lost, and what the files had of it is kept for another try
        assert ran.status == 3, ran.err
        assert "Traceback" not in ran.err
        failed = "SELECT item_id, reason FROM scrape_run_items WHERE state = 'failed'"
        assert rows(sqlite_url, failed) == [("18x", "'18x' is no number, and so no id of an event")]
        assert rows(sqlite_url, "SELECT item_id FROM scrape_run_answers") == [("18x",)]
        retried = scrapy("runs", "retry-failed", "last", environment=at(site.url, sqlite_url))
        assert "1 event of run" in retried.out
        asked_before = len(site.paths)
        assert crawl(site.url, sqlite_url, *state).status == 3
        assert rows(sqlite_url, failed)[0][0] == "18x"
        assert len(site.paths) == asked_before


def test_events_and_templates_share_an_archive_and_neither_minds_the_other(
    stand_in: Running[InventedEvents], archive: str
) -> None:
    from n8n_scraper.testing.stand_in import running_stand_in
    from tests.crawling import crawl as crawl_templates

    with running_stand_in(templates=12) as templates:
        assert crawl_templates(templates, archive).status == 0
        assert crawl(stand_in.url, archive).status == 0
        assert crawl_templates(templates, archive).status == 0

    assert rows(archive, "SELECT count(*) FROM workflows WHERE removed_at IS NULL") == [(12,)]
    assert rows(archive, "SELECT count(*) FROM events WHERE removed_at IS NULL") == [(60,)]


@pytest.mark.further
def test_the_recorded_events_go_through_a_crawl_without_an_exception(
    samples: Path, sqlite_url: str
) -> None:
    folder = samples / "events"
    if not (folder / SAMPLES[-1]).is_file():
        pytest.skip("no recorded events here")
    recorded = {
        f"/{name}": Says((folder / sample).read_bytes(), headers=XML)
        for name, sample in zip(FILES, SAMPLES, strict=True)
    }
    with hostile_site(recorded) as site:
        ran = crawl(site.url, sqlite_url)
        again = crawl(site.url, sqlite_url)

    assert (ran.status, again.status) == (0, 0), ran.err
    assert "1019 of 1019 events ended: 1019 complete." in ran.err
    assert "ERROR" not in ran.err
    found = stored(sqlite_url, "hk_events").items()
    items = {event_id: event.model_dump(mode="json") for event_id, event in found}
    assert len(items) == 1019
    assert all(item["start"] or item["unobserved"]["start"] for item in items.values())
    assert all(item["title"] not in (None, "--") for item in items.values())
    assert sum(bool(item["date_disagreement"]) for item in items.values()) > 0
    venues, dates, events = (recorded[f"/{name}"].body for name in FILES)
    for event_id, event in events_of(events, dates, venues).items():
        assert without_run(items[event_id]) == without_run(event.model_dump(mode="json"))
    assert rows(sqlite_url, "SELECT kind, count(*) FROM item_events GROUP BY kind") == [
        ("new", 1019)
    ]


def without_run(item: dict[str, object]) -> dict[str, object]:
    """What is the same in every crawl."""
    of_run = ("run_id", "scraped_at", "processing_time")
    return {name: value for name, value in item.items() if name not in of_run}


@contextmanager
def started(url: str, database_url: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start a crawl, and see to it that it does not outlive the block."""
    command = [sys.executable, "-m", "scrapy", "crawl", "hk_events", *arguments]
    environment = {**os.environ, **at(url, database_url)}
    with child(command, cwd=PROJECT, env=environment, stderr=subprocess.DEVNULL) as running_crawl:
        yield running_crawl


def has(database_url: str, query: str, *, least: int) -> bool:
    """Whether a table that may not be there yet has so many."""
    try:
        [(number,)] = rows(database_url, query)
    except Exception:  # noqa: BLE001 - no table, no file, busy: of two databases
        return False
    return int(str(number)) >= least


def test_the_stored_pieces_of_every_event_are_read_anew_as_they_are(
    stand_in: Running[InventedEvents], archive: str
) -> None:
    # Given events of which a crawl has stored some twice
    stand_in.control(changes=Changes(edited=dict.fromkeys(list(stand_in.stock.events)[::5], 1)))
    assert crawl(stand_in.url, archive).status == 0
    before, history = rows(archive, "SELECT * FROM events ORDER BY 1"), told(archive)

    reread = scrapy("reread", environment={"DATABASE_URL": archive})

    assert (reread.status, reread.err) == (0, "")
    assert reread.out.startswith("60 events read anew")
    assert "0 changed, 60 as before." in reread.out
    assert rows(archive, "SELECT * FROM events ORDER BY 1") == before
    assert told(archive) == history

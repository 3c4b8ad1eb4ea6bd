"""The events of sites, through the whole core: each by its entry, at a stand-in of its shape."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from n8n_scraper.sources.events.invented import SITES, Changes, InventedSites
from n8n_scraper.sources.events.item import SiteEvent
from n8n_scraper.sources.events.shapes import PATHS, detail, listed
from n8n_scraper.sources.events.stand_in import SCRIPT
from n8n_scraper.sources_file.reading import DEFAULT
from n8n_scraper.testing.hostile_site import Says, hostile_site
from n8n_scraper.testing.redis import OwnRedis
from n8n_scraper.testing.replica.running import Running, running
from n8n_scraper.testing.replica.switches import FaultRule
from tests.browsing import chromium
from tests.crawling import PROJECT, Ran, child, rows, scrapy, stored, wait_until
from tests.dispatching import works
from tests.unit.sources.events.truth import truth_of

__all__ = ["chromium"]

pytestmark = pytest.mark.full_speed

DRAWN = ("timable", "studio_city", "broadway", "mgm")
"""The sites whose list a plain request does not bring."""
PLAIN = [site for site in SITES if site not in DRAWN]
SIZE = 4
BY_HTTP = ("-s", "TOOLS=http")
HTML = {"Content-Type": "text/html; charset=utf-8"}
HOW_TO = PROJECT / "docs/how-to/add-a-site.md"

Sites = Running[InventedSites]


@pytest.fixture(scope="module")
def sites() -> Iterator[Sites]:
    with running(SCRIPT, SIZE, kind=Running) as running_sites:
        yield running_sites


@pytest.fixture
def stand_in(sites: Sites) -> Iterator[Sites]:
    """The same for a test that changes what it serves: with nothing asked of it yet."""
    sites.reset()
    yield sites
    sites.control(**SCRIPT.switches().model_dump(mode="json"))


@pytest.fixture(scope="module")
def archive(sites: Sites, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The events of all sites that say all to a plain request."""
    url = f"sqlite:///{tmp_path_factory.mktemp('sites')}/a.db"
    for site in PLAIN:
        ran = crawl(sites, site, url, *BY_HTTP)
        assert ran.status == 0, ran.err
    return url


@pytest.fixture
def known(archive: str, copy_of: Callable[[str], str]) -> str:
    """A copy of it that a test may change."""
    return copy_of(archive)


def at(stand_in: Sites, site: str) -> tuple[str, ...]:
    """Point the entry of a site at the stand-in, without waiting for its pace."""
    place = f"EVENTS_URL={stand_in.url}{PATHS[site]}"
    return ("-a", f"site={site}", "-s", place, "-s", "RATE_LIMIT_RATE=0")


def crawl(stand_in: Sites, site: str, url: str, *arguments: str, **settings: str) -> Ran:
    here = {"DATABASE_URL": url, "LOG_LEVEL": "INFO", **settings}
    return scrapy("crawl", "events", *at(stand_in, site), *arguments, environment=here)


def archived(url: str, site: str) -> dict[str, SiteEvent]:
    """Give the events of a site by their titles."""
    found: dict[str, Any] = stored(url, "events")
    return {str(one.title): one for one in found.values() if one.site == site}


def told(url: str) -> list[tuple[str, str, dict[str, Any]]]:
    """What history tells, in its order."""
    found = rows(url, "SELECT item_id, kind, details FROM item_events ORDER BY id")
    return [(str(one), str(kind), json.loads(str(details))) for one, kind, details in found]


def details_asked(stand_in: Sites) -> list[str]:
    """The pages of events that were asked for, by their keys."""
    paths = [str(one["path"]) for one in stand_in.log()]
    return [path.rpartition("/")[2] for path in paths if re.search(r"/\w+-\d+$", path)]


@pytest.mark.parametrize("site", PLAIN)
def test_every_value_is_right_of_a_site_that_says_all_to_a_plain_request(
    site: str, archive: str, sites: Sites
) -> None:
    assert_true(archived(archive, site), site, sites)


@pytest.mark.usefixtures("chromium")
@pytest.mark.parametrize(
    "site", [DRAWN[0], *(pytest.param(site, marks=pytest.mark.further) for site in DRAWN[1:])]
)
def test_every_value_is_right_of_a_site_that_scripts_draw(
    site: str, sites: Sites, sqlite_url: str
) -> None:

    ran = crawl(sites, site, sqlite_url)

    assert ran.status == 0, ran.err
    assert_true(archived(sqlite_url, site), site, sites)


def assert_true(found: dict[str, SiteEvent], site: str, sites: Sites) -> None:
    wanted = [truth_of(one, sites.url) for one in sites.stock.events(site)]
    for truth in wanted:
        event = found[truth["title"]].model_dump(mode="json")
        assert {name: event[name] for name in truth} == truth
        assert all(event["unobserved"][name] for name, value in truth.items() if value is None)
    assert len(found) == len(wanted) == SIZE


def test_what_is_kept_of_the_pages_is_read_anew_as_it_is(archive: str, sites: Sites) -> None:
    before = rows(archive, "SELECT * FROM site_events ORDER BY 1")

    reread = scrapy("reread", "--source", "events", environment={"DATABASE_URL": archive})

    assert (reread.status, reread.err) == (0, "")
    assert f"0 changed, {len(before)} as before." in reread.out
    assert rows(archive, "SELECT * FROM site_events ORDER BY 1") == before
    # And of a list that says all, only what speaks of an event is kept of it
    kept = (
        "SELECT max(body_bytes) FROM raw_answers WHERE part = 'list' AND item_id LIKE 'venetian%'"
    )
    [(most,)] = rows(archive, kept)
    whole = listed("venetian", sites.stock.events("venetian"), PATHS["venetian"])
    assert int(str(most)) < len(whole or b"")


def test_a_crawl_of_one_site_removes_nothing_of_another(stand_in: Sites, known: str) -> None:
    # Given several sites in an archive, of two of which an event vanishes
    first, second = stand_in.stock.events("mgto")[:2]

    # When only one of them is crawled, fully and as an update
    for gone, more in ((first, ()), (second, ("-a", "mode=update"))):
        removed = stand_in.stock.changes.removed
        stand_in.control(changes=Changes(removed={*removed, gone.key, "venetian-1"}))
        assert crawl(stand_in, "mgto", known, *BY_HTTP, *more).status == 0

    # Then only its own are gone
    removed = "SELECT title, site FROM site_events WHERE removed_at IS NOT NULL"
    assert sorted(rows(known, removed)) == sorted([(first.title, "mgto"), (second.title, "mgto")])


def test_changed_cancelled_and_vanished_are_told_apart_and_field_by_field(
    stand_in: Sites, known: str
) -> None:
    # Given a site in an archive
    moved, called_off, gone, _ = stand_in.stock.events("galaxy")
    ids = {title: one.event_id for title, one in archived(known, "galaxy").items()}
    before = len(told(known))
    assert [kind for _, kind, _ in told(known)] == ["new"] * SIZE * len(PLAIN)

    # When one is put off by three days, one is cancelled, one vanishes, and one is added
    stand_in.control(
        changes=Changes(
            moved={moved.key: 3}, cancelled={called_off.key}, removed={gone.key}, added=1
        )
    )
    ran = crawl(stand_in, "galaxy", known, *BY_HTTP, "-a", "mode=update")
    assert ran.status == 0, ran.err

    # Then each is told as what it is, with what it was before
    happened = {one: (kind, details) for one, kind, details in told(known)[before:]}
    kind, details = happened[ids[moved.title]]
    later = stand_in.stock.events("galaxy")[0]
    assert kind == "changed"
    assert details["fields"]["start"] == {
        "old": f"{moved.start:%Y-%m-%dT%H:%M:%SZ}",
        "new": f"{later.start:%Y-%m-%dT%H:%M:%SZ}",
    }
    assert set(details["fields"]) == {"start", "end", "occurrences"}
    kind, details = happened[ids[called_off.title]]
    assert (kind, details["fields"]) == (
        "changed",
        {"status": {"old": "active", "new": "cancelled"}},
    )
    assert happened[ids[gone.title]][0] == "removed"
    assert sorted(kind for kind, _ in happened.values()) == ["changed", "changed", "new", "removed"]
    now = archived(known, "galaxy")
    assert (now[called_off.title].status, now[called_off.title].removed_at) == ("cancelled", None)
    assert now[gone.title].status == "active"
    assert now[gone.title].removed_at is not None

    # And when all is as it was, it is back
    stand_in.control(changes=Changes())
    assert crawl(stand_in, "galaxy", known, *BY_HTTP).status == 0
    assert (ids[gone.title], "returned") in [(one, kind) for one, kind, _ in told(known)]


def test_an_empty_list_of_a_site_that_has_events_fails_and_removes_nothing(
    stand_in: Sites, known: str, sqlite_url: str, tmp_path: Path
) -> None:
    # Given an archive of a site that always has some, and of one that may be empty
    file = tmp_path / "sites.toml"
    entries = DEFAULT.read_text("utf-8")
    file.write_text(entries.replace("[sources.venetian]", "[sources.venetian]\nat_least = 0"))
    before = rows(known, "SELECT * FROM site_events ORDER BY 1")
    stand_in.control(changes=Changes(empty={"asiaworld_expo", "venetian"}))

    # When both list nothing
    always = crawl(stand_in, "asiaworld_expo", known, *BY_HTTP)
    may_be = crawl(stand_in, "venetian", known, *BY_HTTP, SOURCES_FILE=str(file))

    # Then neither is believed
    assert (always.status, may_be.status) == (7, 7)
    assert "it has 0 events, and always had 1 at the least" in always.err
    assert "it is empty, and 4 events of it are still to come" in may_be.err
    assert rows(known, "SELECT * FROM site_events ORDER BY 1") == before

    # But where none is known, an empty list is one
    never = crawl(stand_in, "venetian", sqlite_url, *BY_HTTP, SOURCES_FILE=str(file))
    assert never.status == 0, never.err
    assert "The list of venetian is empty" in never.err


def test_a_list_that_is_read_no_further_removes_nothing(
    stand_in: Sites, known: str, tmp_path: Path
) -> None:
    # Given an archive of a list of two pages
    file = tmp_path / "sites.toml"
    file.write_text(DEFAULT.read_text("utf-8").replace("most_pages = 5", "most_pages = 1"))

    # When only the first is read, fully and as an update
    for more in ((), ("-a", "mode=update")):
        ran = crawl(stand_in, "asiaworld_expo", known, *BY_HTTP, *more, SOURCES_FILE=str(file))

        # Then what stands on the second is there as before
        assert ran.status == 0, ran.err
        assert "goes on behind page 1" in ran.err
    assert rows(known, "SELECT * FROM site_events WHERE removed_at IS NOT NULL") == []


def test_a_page_of_an_event_that_is_lost_leaves_what_it_has_said(
    stand_in: Sites, known: str
) -> None:
    # Given an event whose list and page are known
    said = "SELECT event_id, title, start, content_hash FROM site_events ORDER BY 1"
    before = rows(known, said)

    # When that page breaks, and another one has lost its data
    rule = FaultRule(kinds=("503",), path=".*galaxy-1")
    stand_in.control(
        faults=(rule.model_dump(mode="json"),), changes=Changes(drawn=frozenset(("galaxy-2",)))
    )
    once = '{"server_error": {"attempts": 1}}'
    ran = crawl(stand_in, "galaxy", known, *BY_HTTP, RETRY_RULES=once)

    # Then both have failed, and the archive has them as they were
    assert ran.status == 3, ran.err
    assert "4 of 4 events ended: 2 complete, 2 failed." in ran.err
    assert rows(known, said) == before
    assert {kind for _, kind, _ in told(known)} == {"new"}


@pytest.mark.followed
def test_only_those_asked_for_are_asked_for(stand_in: Sites, sqlite_url: str) -> None:
    assert crawl(stand_in, "galaxy", sqlite_url, *BY_HTTP, "-a", "limit=2").status == 0
    assert details_asked(stand_in) == ["galaxy-1", "galaxy-2"]
    [(one,)] = rows(sqlite_url, "SELECT min(event_id) FROM site_events")
    nowhere = "galaxy-0123456789abcdef"

    ran = crawl(stand_in, "galaxy", sqlite_url, *BY_HTTP, "-a", f"ids={one},{nowhere}")

    assert "2 of 2 events ended: 1 complete, 1 gone." in ran.err
    assert len(details_asked(stand_in)) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "name the site whose events are wanted, as in -a site=NAME; there are: mgto, broad"),
        (("-a", "site=galaxie"), "-a site=galaxie: no such site has events; there are: mgto, b"),
        (("-a", "site=hk_events"), "-a site=hk_events: no such site has events; there are: mgto"),
        (
            ("-a", "site=mgto", "-a", "ids=galaxy-0123456789abcdef"),
            "galaxy-0123456789abcdef is an event of another site than mgto.",
        ),
        (("-a", "site=mgto", "-s", "TOOLS=firecrawl"), "FIRECRAWL_URL is empty"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.db"

    ran = scrapy("crawl", "events", *arguments, environment={"DATABASE_URL": f"sqlite:///{file}"})

    assert ran.status == 2
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not file.exists()


def test_a_list_is_parsed_event_by_event_without_a_database(sites: Sites, tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    place = sites.url + PATHS["galaxy"]

    ran = scrapy(
        *("parse", "--spider", "events", *at(sites, "galaxy"), "-d", "2", place),
        environment={"DATABASE_URL": f"sqlite:///{file}"},
    )

    assert ran.status == 0, ran.err
    assert all(one.title in ran.out for one in sites.stock.events("galaxy"))
    assert "devtools" not in ran.err
    assert not file.exists()


def test_a_crawl_that_is_killed_goes_on_and_asks_nothing_twice(
    sqlite_url: str, tmp_path: Path
) -> None:
    # Given a crawl that is killed in the middle
    size = 12
    state = (*BY_HTTP, "-s", f"JOBDIR={tmp_path}/state", "-s", "ITEMS_UNDER_WAY=2")
    with running(SCRIPT, size, kind=Running, latency_ms=60) as stand_in:
        command = [sys.executable, "-m", "scrapy", "crawl", "events", *at(stand_in, "galaxy")]
        environment = {**os.environ, "DATABASE_URL": sqlite_url}
        with child(
            [*command, *state], cwd=PROJECT, env=environment, stderr=subprocess.DEVNULL
        ) as killed:
            wait_until(lambda: len(details_asked(stand_in)) >= 5)
            killed.send_signal(signal.SIGKILL)
            killed.wait()

        # When the same command is given again
        ran = crawl(stand_in, "galaxy", sqlite_url, *state)

        # Then all is there, and no more was asked again than was under way
        assert ran.status == 0, ran.err
        assert len(archived(sqlite_url, "galaxy")) == size
        again = details_asked(stand_in)
        assert len(again) - len(set(again)) <= 2


def test_a_process_that_joins_a_run_learns_its_site_from_it(
    stand_in: Sites, sqlite_url: str
) -> None:
    assert crawl(stand_in, "galaxy", sqlite_url, *BY_HTTP, "-s", "ITEMS_AT_MOST=1").status != 0
    here = at(stand_in, "galaxy")[2:]

    ran = scrapy(
        *("crawl", "events", *here, "-a", "run=last"), environment={"DATABASE_URL": sqlite_url}
    )

    assert ran.status == 0, ran.err
    assert len(archived(sqlite_url, "galaxy")) == SIZE


@pytest.mark.long
def test_a_site_is_handed_to_workers_like_any_other_source(
    redis: OwnRedis, sqlite_url: str, tmp_path: Path
) -> None:
    with running(SCRIPT, 12, kind=Running) as stand_in:
        file = tmp_path / "sites.toml"
        place = f"{stand_in.url}{PATHS['galaxy']}"
        entries = DEFAULT.read_text("utf-8")
        galaxy = "https://www.galaxymacau.com/ticketing/event-list/"
        file.write_text(entries.replace(galaxy, place).replace('"auto"', '["http"]'))
        pace = json.dumps({"127.0.0.1": {"rate": 50, "burst": 5}})
        told_of = {"SOURCES_FILE": str(file), "RATE_LIMITS": pace, "SCRAPING_CHUNK_SIZE": "4"}
        with works(sqlite_url, redis, stand_in, tmp_path, **told_of) as here:  # type: ignore[arg-type]
            here.start_worker()

            ran = here.dispatch("events", "-a", "site=galaxy", "--wait")

            assert ran.status == 0, ran.err + here.log()
    assert len(archived(sqlite_url, "galaxy")) == 12
    assert len(rows(sqlite_url, "SELECT * FROM scrape_workers")) > 1


def age(url: str) -> None:
    """Let all that is remembered of tools be a day older."""
    engine = create_engine(url)
    with engine.begin() as connection:
        for (moment,) in connection.execute(text("SELECT DISTINCT at FROM tool_attempts")).all():
            earlier = (datetime.fromisoformat(moment) - timedelta(days=1, minutes=1)).isoformat()
            connection.execute(
                text("UPDATE tool_attempts SET at = :earlier WHERE at = :moment"),
                {"earlier": earlier, "moment": moment},
            )
    engine.dispose()


@pytest.mark.further
@pytest.mark.usefixtures("chromium")
def test_a_site_that_loses_its_data_half_way_is_read_by_a_browser_until_it_gets_them_back(
    sqlite_url: str,
) -> None:
    # Given a site of ten events, of which the later half has data only when scripts have run
    size = 10
    choice = ("-s", "TOOLS=http,devtools", "-s", "ITEMS_UNDER_WAY=1")
    with running(SCRIPT, size, kind=Running) as stand_in:
        lost = {f"galaxy-{number}" for number in range(5, 11)}
        stand_in.control(changes=Changes(drawn=lost))

        # When it is crawled
        ran = crawl(stand_in, "galaxy", sqlite_url, *choice)

        # Then every event is there, with every value
        assert ran.status == 0, ran.err
        found = archived(sqlite_url, "galaxy")
        for one in stand_in.stock.events("galaxy"):
            event = found[one.title].model_dump(mode="json")
            truth = truth_of(one, stand_in.url)
            assert {name: event[name] for name in truth} == truth
        # and three pages were asked for twice, until the browser went first
        asked = details_asked(stand_in)
        assert [asked.count(f"galaxy-{number}") for number in range(1, 11)] == (
            [1, 1, 1, 1, 2, 2, 2, 1, 1, 1]
        )
        assert ran.err.count("is asked for with devtools: http brought 0 %") == 3
        by_tool = tools_of(sqlite_url)
        assert by_tool["devtools"]["answered"] == by_tool["devtools"]["items"] == 6
        assert by_tool["http"]["items"] == 4  # a link to an event is none
        assert by_tool["http"]["coverage"] < 0.9 < by_tool["devtools"]["coverage"]
        assert by_tool["devtools"]["seconds_an_item"] > by_tool["http"]["seconds"]

        # When it has its data again, and three days have gone by, each with a look at the list
        stand_in.control(changes=Changes())
        for _ in range(3):
            age(sqlite_url)
            nowhere = "ids=galaxy-0123456789abcdef"
            assert crawl(stand_in, "galaxy", sqlite_url, *choice, "-a", nowhere).status == 0

        # Then a plain request has shown three times that it does, and goes first again
        stand_in.reset()
        ran = crawl(stand_in, "galaxy", sqlite_url, *choice)
        assert ran.status == 0
        assert sorted(details_asked(stand_in)) == sorted(
            one.key for one in stand_in.stock.events("galaxy")
        )
        assert tools_of(sqlite_url)["devtools"]["attempts"] <= 10
        agents = {str(one["user_agent"]) for one in stand_in.log()}
        assert not any("Chrome" in one for one in agents)


def tools_of(url: str) -> dict[str, dict[str, Any]]:
    """What each tool has brought of the site, as it is told."""
    ran = scrapy("quality", "--source", "events", "--json", environment={"DATABASE_URL": url})
    told_of = json.loads(ran.out)["tools"]
    assert {one["place"] for one in told_of} == {"galaxy"}
    return {one["tool"]: one for one in told_of}


def test_a_new_site_of_pages_with_json_ld_is_added_by_ten_lines(
    sqlite_url: str, tmp_path: Path
) -> None:
    # Given the ten lines of the documentation, and a site at their address
    (lines,) = re.findall(r"```toml\n(\[sources\..*?)```", HOW_TO.read_text("utf-8"), re.DOTALL)
    assert len(lines.strip().splitlines()) == 10
    stock = InventedSites(3)
    events = stock.events("galaxy")
    links = "".join(f'<a href="/event/{one.key}">{one.title}</a>' for one in events)
    pages = {f"/event/{one.key}": Says(detail(one), headers=HTML) for one in events}
    pages["/events"] = Says(f"<html><body>{links}</body></html>".encode(), headers=HTML)
    with hostile_site(pages) as site:
        file = tmp_path / "sites.toml"
        file.write_text(lines.replace("https://city.example", site.url))
        here = {"SOURCES_FILE": str(file), "DATABASE_URL": sqlite_url}
        told_first = scrapy("sources", "validate", environment=here)

        # When it is crawled
        ran = scrapy(
            *("crawl", "events", "-a", "site=city_hall", "-s", "RATE_LIMIT_RATE=0"),
            environment=here,
        )

    # Then its events are there as they are
    assert told_first.status == 0, told_first.err
    assert ran.status == 0, ran.err
    found = archived(here["DATABASE_URL"], "city_hall")
    assert {title: (one.start, one.location) for title, one in found.items()} == {
        one.title: (f"{one.start:%Y-%m-%dT%H:%M:%SZ}", f"{one.venue}, Macau") for one in events
    }
    assert {one.sources["start"] for one in found.values()} == {"detail json-ld"}

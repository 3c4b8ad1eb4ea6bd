"""What the commands say of events."""

import json

import pytest

from n8n_scraper.core.computing import compute
from n8n_scraper.ledger import runs
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import NewRun
from n8n_scraper.sources.hk_events.invented import InventedEvents
from n8n_scraper.sources.hk_events.source import SOURCE
from tests import storing
from tests.crawling import Ran, scrapy
from tests.unit.sources.hk_events.given import events_in

NEW = NewRun("hk_events", "hk_events", "https://x.example", {}, {}, {}, "scrapy crawl hk_events")
EVENTS = list(events_in(InventedEvents(6, 1)).values())
FIRST = EVENTS[0]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An archive into which only events were crawled, one of which was edited since."""
    address = f"sqlite:///{tmp_path_factory.mktemp('archive')}/a.db"
    database = Database(address)
    database.do(lambda session: runs.enter(session, NEW))
    edited = FIRST.model_copy(update={"organiser": "The other hall"})
    for one in (*EVENTS, edited):
        compute(SOURCE.kind().computed, one)
        database.do(lambda session, one=one: storing.save(session, SOURCE, one, ()))
    database.close()
    return address


def asked(url: str, *command: str) -> Ran:
    ran = scrapy(*command, environment={"DATABASE_URL": url})
    assert ran.status == 0, ran.err
    return ran


@pytest.mark.parametrize("source", [(), ("--source", "hk_events")])
def test_the_one_source_of_an_archive_need_not_be_named(url: str, source: tuple[str, ...]) -> None:
    lines = asked(url, "diff", FIRST.event_id, *source).out.splitlines()

    assert lines[0] == f"Event {FIRST.event_id}, version 1 → 2"
    assert lines[1].endswith('→ "The other hall"')


def test_what_has_happened_to_events_is_told_under_their_own_key(url: str) -> None:
    ran = asked(url, "changes", "--since", "2000-01-01", "--source", "hk_events", "--json")

    found = [json.loads(line) for line in ran.out.splitlines()]
    assert [one["kind"] for one in found].count("new") == len(EVENTS)
    assert (found[-1]["kind"], found[-1]["event_id"]) == ("changed", FIRST.event_id)


def test_the_coverage_of_each_field_is_told(url: str) -> None:
    found = json.loads(asked(url, "quality", "--json").out)

    assert (found["source"], found["items"]) == ("hk_events", len(EVENTS))
    fields = {one["field"]: one["present"] for one in found["fields"]}
    assert fields["title"] == sum(one.title is not None for one in EVENTS)
    assert "workflow" not in fields


def test_of_one_event_it_is_told_which_fields_are_known_and_why_the_others_are_not(
    url: str,
) -> None:
    lines = asked(url, "quality", FIRST.event_id).out.splitlines()

    assert lines[0].startswith(f"Event {FIRST.event_id}: ")
    assert [line.split(":")[0].strip() for line in lines[2:]] == list(FIRST.unobserved)


def test_runs_are_listed_of_the_source_that_is_meant(url: str) -> None:
    assert len(json.loads(asked(url, "runs", "list", "--source", "hk_events", "--json").out)) == 1
    assert asked(url, "status", "--source", "hk_events").out.startswith("run ")


def test_a_source_that_there_is_not_is_refused_with_those_that_there_are(url: str) -> None:
    for command in (["changes", "--since", "1d"], ["runs", "list"], ["status"], ["quality"]):
        ran = scrapy(*command, "--source", "nowhere", environment={"DATABASE_URL": url})

        assert (ran.status, len(ran.err.splitlines())) == (2, 1)
        assert "'nowhere' is no source; there are: " in ran.err

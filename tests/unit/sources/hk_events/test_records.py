"""Events in and out of both databases, with their history."""

from n8n_scraper.core.computing import compute
from n8n_scraper.core.dossier import Answer
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import items
from n8n_scraper.reports.history import compare_versions, events_since
from n8n_scraper.sources.hk_events.invented import InventedEvents
from n8n_scraper.sources.hk_events.item import Event
from n8n_scraper.sources.hk_events.source import PART, SOURCE
from tests import storing
from tests.unit.sources.hk_events.given import events_in

KIND = SOURCE.kind()
ANSWER = Answer(PART, "https://events.example.org/events.xml", 200, b"<event/>", "2026-01-05")


def an_event() -> Event:
    found = next(iter(events_in(InventedEvents(12, 1)).values()))
    compute(KIND.computed, found)
    return found


def save(database: Database, event: Event) -> Event:
    return database.do(lambda session: storing.save(session, SOURCE, event, [ANSWER]))


def test_an_event_comes_out_of_the_database_as_it_went_in(database: Database) -> None:
    event = an_event()

    save(database, event)

    assert database.do(lambda session: items.load(session, SOURCE, event.event_id)) == event
    assert database.do(lambda session: list(items.load_all(session, SOURCE))) == [event]
    answers = database.do(lambda session: items.raw_answers(session, SOURCE, event.event_id))
    assert answers == {PART: ANSWER}


def test_an_event_that_was_edited_has_a_version_and_an_event_of_the_archive(
    database: Database,
) -> None:
    event = an_event()
    save(database, event)
    save(database, event)  # the same again is no change

    edited = event.model_copy(update={"description": "Moved to the large hall."})
    save(database, edited)

    found = compare_versions(database, SOURCE, event.event_id)
    assert found.versions == 2
    assert found.changes["description"]["new"] == "Moved to the large hall."
    assert [one.kind for one in events_since(database, [SOURCE], "2000")] == ["new", "changed"]

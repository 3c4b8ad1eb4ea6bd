"""How domains were asked, and what happened to them, is written down."""

from datetime import UTC, datetime, timedelta

from n8n_scraper.ledger import domain_record
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.domain_record import Asked
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.reports.domain_history import DomainEvent, DomainMinute, domain_history

NOW = datetime(2026, 11, 19, 1, 7, 30, tzinfo=UTC)
OPEN = CircuitState(opened_at=NOW.timestamp(), reason="server", tripped_by="status 503 from x")


def note(database: Database, worker: str, asked: Asked, at: datetime = NOW) -> None:
    database.do(lambda session: domain_record.note(session, worker, [asked], at))


def test_what_processes_have_sent_in_a_minute_is_added_up(database: Database) -> None:
    note(database, "a", Asked("n8n.io", 5, 1, 2.0))
    note(database, "a", Asked("n8n.io", 3, 0, 2.0))
    note(database, "b", Asked("n8n.io", 4, 0, 1.5))
    note(database, "b", Asked("n8n.io", 9, 0, None), NOW + timedelta(minutes=2))

    history = domain_history(database, "n8n.io", now=NOW + timedelta(minutes=5))

    assert history.minutes == (
        DomainMinute("2026-11-19T01:07:00Z", 12, 1, 1.5),
        DomainMinute("2026-11-19T01:09:00Z", 9, 0, None),
    )


def test_what_several_processes_have_seen_is_noted_once(database: Database) -> None:
    for _ in range(3):
        database.do(lambda session: domain_record.note_opened(session, "n8n.io", OPEN, 60.0))

    (event,) = domain_history(database, "n8n.io", now=NOW).events

    assert event == DomainEvent(
        "2026-11-19T01:07:30.000Z", "opened", "server", "status 503 from x", 60.0, None
    )


def test_the_latest_of_what_happened_comes_first(database: Database) -> None:
    closed = CircuitState(closed_at=NOW.timestamp() + 60)
    database.do(lambda session: domain_record.note_opened(session, "n8n.io", OPEN, 60.0))
    database.do(lambda session: domain_record.note_closed(session, "n8n.io", closed))
    database.do(
        lambda session: domain_record.note_slowed(session, "n8n.io", 1.5, NOW - timedelta(hours=1))
    )

    events = domain_history(database, "n8n.io", now=NOW).events

    assert [(one.kind, one.rate) for one in events] == [
        ("closed", None),
        ("opened", None),
        ("slowed", 1.5),
    ]


def test_only_the_time_that_is_asked_for_is_told(database: Database) -> None:
    note(database, "a", Asked("n8n.io", 1, 0, 2.0), NOW - timedelta(hours=3))
    note(database, "a", Asked("other.example", 1, 0, 2.0))
    note(database, "a", Asked("n8n.io", 2, 0, 2.0))

    (minute,) = domain_history(database, "n8n.io", hours=1, now=NOW).minutes

    assert minute.requests == 2


def test_what_is_old_is_forgotten(database: Database) -> None:
    note(database, "a", Asked("n8n.io", 1, 0, 2.0), NOW - timedelta(days=91))
    note(database, "a", Asked("n8n.io", 2, 0, 2.0))

    database.do(lambda session: domain_record.forget_old(session, NOW))

    history = domain_history(database, "n8n.io", hours=24 * 365, now=NOW)
    assert [one.requests for one in history.minutes] == [2]

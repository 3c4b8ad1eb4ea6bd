"""What is wrong, and what those outside are still to be told."""

from n8n_scraper.ledger.database import Database
from n8n_scraper.outbox import alert_book, outbox
from n8n_scraper.outbox.message import NewMessage
from n8n_scraper.policies.alerts.rules import Finding, Rule
from n8n_scraper.policies.alerts.telling import Cadence
from n8n_scraper.policies.outbox.delivery import TAKEN, Came, Delivery
from n8n_scraper.reports.outside import outside_report

NOW = 1_000_000.0
FAILED = Finding(Rule.RUN_FAILED, "n8n", "it broke")
SLOW = Finding(Rule.SLOW, "n8n", "it takes its time")


def look(database: Database, now: float, *found: Finding) -> None:
    """Look for what is wrong, at a moment."""
    database.do(
        lambda session: alert_book.note(
            session, found, frozenset(Rule), now, Cadence(), lambda _: None
        )
    )


def write(database: Database, *keys: str, channel: str = "etl") -> None:
    """Write messages that are due."""
    for key in keys:
        new = NewMessage(channel, key, {"says": key}, 100_000.0)
        database.do(lambda session, new=new: outbox.write(session, new, NOW))


def send(database: Database, delivery: Delivery, channel: str = "etl") -> None:
    """Let the message that is due longest come out so."""

    def work(session):
        [message] = outbox.claim(session, channel, "one", 1, 60.0, NOW)
        outbox.settle(session, channel, "one", [(message, delivery)], NOW, lambda: 0.5)

    database.do(work)


def test_where_nothing_was_ever_written_nothing_is_told(database: Database) -> None:
    report = outside_report(database)

    assert (report.alerts, report.channels) == ((), ())
    assert report.firing == dict.fromkeys(map(str, Rule), 0)


def test_what_fires_comes_before_what_has_recovered(database: Database) -> None:
    look(database, NOW, FAILED, SLOW)
    look(database, NOW + 60, FAILED)

    report = outside_report(database)

    told = [(one.rule, one.subject, one.firing, one.since) for one in report.alerts]
    assert told == [
        ("run_failed", "n8n", True, "1970-01-12T13:46:40.000+00:00"),
        ("slow", "n8n", False, "1970-01-12T13:47:40.000+00:00"),
    ]
    assert {rule for rule, number in report.firing.items() if number} == {"run_failed"}


def test_messages_are_counted_by_the_way_that_they_go(database: Database) -> None:
    write(database, "a", "b", "c")
    write(database, "d", channel="alerts/mail")
    send(database, TAKEN)
    send(database, Delivery(Came.REFUSED, "it makes no sense"))

    mail, etl = outside_report(database).channels

    assert (mail.channel, mail.waiting, mail.given_up) == ("alerts/mail", 1, 0)
    assert mail.last_error is None
    assert (etl.waiting, etl.given_up, etl.last_error) == (1, 1, "it makes no sense")
    assert etl.written_at is not None

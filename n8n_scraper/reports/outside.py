"""What is wrong as alerts have it, and what those outside are still to be told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from n8n_scraper.ledger import workers
from n8n_scraper.ledger.database import Database
from n8n_scraper.outbox.tables import AlertRow, ChannelRow, MessageRow
from n8n_scraper.policies.alerts.rules import Rule
from n8n_scraper.policies.outbox.delivery import MessageState

_RECOVERED_SHOWN = 50
_UNSENT = (MessageState.WAITING, MessageState.SENDING)


@dataclass(frozen=True, slots=True)
class AlertReport:
    """An alert that fires or has fired."""

    rule: str
    subject: str
    words: str
    firing: bool
    since: str
    """When it began, or has ended."""
    told_at: str | None
    times: int


@dataclass(frozen=True, slots=True)
class ChannelReport:
    """How a way to the outside stands."""

    channel: str
    waiting: int
    """Messages that are still to be sent, those on their way included."""
    given_up: int
    written_at: str | None
    """When the oldest of those that wait was written."""
    failures: int
    """How many sendings in a row have failed."""
    held_for_seconds: float
    """For how long nothing is sent still."""
    last_error: str | None


@dataclass(frozen=True, slots=True)
class OutsideReport:
    """Alerts, those that fire first, and the channels by name."""

    alerts: tuple[AlertReport, ...]
    channels: tuple[ChannelReport, ...]

    @property
    def firing(self) -> Mapping[str, int]:
        """How many alerts fire by each rule that there is."""
        numbers = Counter(one.rule for one in self.alerts if one.firing)
        return {str(rule): numbers[rule] for rule in Rule}


def outside_report(database: Database) -> OutsideReport:
    """Say it for one moment."""

    def all_of_it(session: Session) -> OutsideReport:
        now = workers.now(session)
        channels = tuple(_channel(session, name, now) for name in _channels(session))
        return OutsideReport(tuple(_alerts(session)), channels)

    return database.look(all_of_it)


def _alerts(session: Session) -> list[AlertReport]:
    row = AlertRow
    newest = select(row).order_by(row.since.desc(), row.key)
    firing = session.scalars(newest.where(row.firing)).all()
    recovered = session.scalars(newest.where(~row.firing).limit(_RECOVERED_SHOWN)).all()
    return [
        AlertReport(
            one.rule,
            one.subject,
            one.words,
            one.firing,
            _moment(one.since),
            None if one.told_at is None else _moment(one.told_at),
            one.times,
        )
        for one in (*firing, *recovered)
    ]


def _channels(session: Session) -> list[str]:
    """Name those that have messages: a step of the index a channel, however much was sent."""
    found: list[str] = []
    query = select(MessageRow.channel).order_by(MessageRow.channel).limit(1)
    while name := session.scalar(query.where(MessageRow.channel > found[-1]) if found else query):
        found.append(name)
    return found


def _channel(session: Session, name: str, now: float) -> ChannelReport:
    row = MessageRow
    mine = (row.channel == name, row.state.in_(_UNSENT))
    counting = select(func.count(), func.min(row.written_at)).where(*mine)
    waiting, written_at = session.execute(counting).one()
    gave_up = (row.channel == name, row.state == MessageState.GIVEN_UP)
    failed = (row.channel == name, row.state != MessageState.SENT, row.failed_at.is_not(None))
    stands = session.get(ChannelRow, name)
    return ChannelReport(
        channel=name,
        waiting=waiting,
        given_up=session.scalar(select(func.count()).where(*gave_up)) or 0,
        written_at=written_at,
        failures=stands.failures if stands else 0,
        held_for_seconds=max(0.0, stands.held_until - now) if stands else 0.0,
        last_error=session.scalar(
            select(row.last_error).where(*failed).order_by(row.failed_at.desc()).limit(1)
        ),
    )


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")

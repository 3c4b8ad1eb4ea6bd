"""Send what is due by one channel: take it, carry it out of any transaction, note what became."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from random import random as chance
from typing import Protocol

from sqlalchemy.orm import Session

from n8n_scraper.ledger import workers
from n8n_scraper.ledger.database import Database
from n8n_scraper.outbox import outbox
from n8n_scraper.outbox.message import Message
from n8n_scraper.policies.outbox.delivery import Delivery

_SENT_IS_KEPT_FOR = timedelta(days=7)

Clock = Callable[[Session], float]
"""Tells the time in seconds since 1970: the database's, as processes may disagree about theirs."""
Deliveries = Sequence[tuple[Message, Delivery]]


class Load(Protocol):
    """Messages on their way, with all that their carrying needs."""

    def carry(self) -> Deliveries:
        """Send them, and say of each that was tried how that came out; raises nothing."""

    def note(self, session: Session) -> None:
        """Note what the other side has told, in the transaction that settles them."""


class Channel(Protocol):
    """A way to the outside."""

    name: str
    batch: int
    """How many messages are sent together at most."""
    lease_seconds: float
    """For how long a sender of so many is believed to be at it."""

    def load(self, session: Session, messages: Sequence[Message]) -> Load:
        """Read what carrying these messages needs."""


class Sender:
    """Sends by one channel, in three steps: two are transactions, the one between asks the net."""

    def __init__(
        self,
        channel: Channel,
        clock: Clock = workers.now,
        random: Callable[[], float] = chance,
    ) -> None:
        self.channel = channel
        self.clock = clock
        self.random = random
        self.holder = outbox.sender_name()

    def take(self, session: Session) -> Load | None:
        """Take what is due; None when nothing is."""
        channel, now = self.channel, self.clock(session)
        messages = outbox.claim(
            session, channel.name, self.holder, channel.batch, channel.lease_seconds, now
        )
        return channel.load(session, messages) if messages else None

    def settle(self, session: Session, load: Load, deliveries: Deliveries) -> None:
        """Note what became of it."""
        load.note(session)
        now = self.clock(session)
        outbox.settle(session, self.channel.name, self.holder, deliveries, now, self.random)

    def forget_old(self, session: Session) -> None:
        """Forget what was sent long ago."""
        outbox.forget_sent(session, (datetime.now(UTC) - _SENT_IS_KEPT_FOR).isoformat())


def send_all(sender: Sender, database: Database) -> None:
    """Send until nothing is due."""
    database.do(sender.forget_old)
    while (load := database.do(sender.take)) is not None:
        _settle(sender, database, load, load.carry())


def _settle(sender: Sender, database: Database, load: Load, sent: Deliveries) -> None:
    database.do(lambda session: sender.settle(session, load, sent))

"""The tables of what is told to the outside, a sentence under each column that needs one.

Times that are numbers are seconds since 1970 by the database's clock.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Index, Integer
from sqlalchemy.orm import Mapped, mapped_column

from n8n_scraper.ledger.tables import Base

# SQLite numbers rows by itself only where the key is its own kind of integer.
_NUMBER = BigInteger().with_variant(Integer(), "sqlite")


class MessageRow(Base):
    """A message to the outside: waiting, on its way, sent or given up."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index("uq_outbox_channel_key", "channel", "key", unique=True),
        # What is due is found without looking at what was sent long ago.
        Index("ix_outbox_due", "channel", "state", "due_at"),
        Index("ix_outbox_topic", "channel", "topic", "stage", "state"),
    )

    number: Mapped[int] = mapped_column(_NUMBER, primary_key=True)
    channel: Mapped[str]
    """By which way it goes: `etl` or `alerts`."""
    key: Mapped[str]
    """What it is about: a later message of the same key takes the place of this one."""
    topic: Mapped[str]
    """What it belongs to, such as a run: its messages go in the order of their stages."""
    stage: Mapped[int]
    payload: Mapped[dict[str, Any]]
    revision: Mapped[int] = mapped_column(default=1, server_default="1")
    """Rises when the message says something else."""
    state: Mapped[str]
    """waiting → sending → sent or given_up."""
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    """How often it has failed while others were taken."""
    due_at: Mapped[float | None]
    """When it is to be sent; null as long as it is not known yet."""
    give_up_at: Mapped[float]
    """Until when it makes sense."""
    failed_at: Mapped[float | None]
    in_doubt: Mapped[bool]
    """Whether an earlier sending had no answer, so that it may have been taken."""
    holder: Mapped[str | None]
    """Who is sending it."""
    lease_until: Mapped[float | None]
    """Until when that one is believed to be at it."""
    last_error: Mapped[str | None]
    """Why it was not taken, without passwords."""
    written_at: Mapped[str]
    ended_at: Mapped[str | None]
    """When it was sent or given up."""


class ChannelRow(Base):
    """A way to the outside, as all who send by it find it."""

    __tablename__ = "outbox_channels"

    channel: Mapped[str] = mapped_column(primary_key=True)
    failures: Mapped[int]
    """How many came in a row."""
    held_until: Mapped[float]
    """Until when nothing is sent."""
    taken_at: Mapped[float]
    """When something was taken last."""


class ForeignNameRow(Base):
    """What the other side calls something of ours."""

    __tablename__ = "outbox_names"

    channel: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    """What we call it, such as the id of a run."""
    theirs: Mapped[str]


class AlertRow(Base):
    """An alert that fires or has fired, whichever process has found it."""

    __tablename__ = "alerts"

    key: Mapped[str] = mapped_column(primary_key=True)
    """Its rule, a colon and what it is about."""
    rule: Mapped[str]
    subject: Mapped[str]
    words: Mapped[str]
    """What was wrong when it was looked at last."""
    firing: Mapped[bool]
    since: Mapped[float]
    """When it began, or has ended."""
    told_at: Mapped[float | None]
    """When it was last told."""
    is_told: Mapped[bool]
    """Whether its firing was told, so that its end is told as well."""
    times: Mapped[int]
    """How often it has begun."""

"""The tables of the queue, a sentence under each column where its name does not say it all.

Times are ISO 8601 text in UTC: they sort by age, and read the same in both databases.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# JSON, not JSONB: what was served is kept exactly, its order of keys included.
Json = JSON(none_as_null=True)


class Base(DeclarativeBase):
    """Gives every constraint a name, so that migrations can speak of it."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads it as declared
        str: Text(),
        int: BigInteger(),
        dict[str, Any]: Json,
        list[Any]: Json,
    }


def table_of(model: type[Base]) -> Table:
    """Give the table itself, for statements that make no objects."""
    return Base.metadata.tables[model.__tablename__]


class RunRow(Base):
    """One crawl from its plan to its end, by however many processes."""

    __tablename__ = "scrape_runs"
    __table_args__ = (
        Index("ix_scrape_runs_started_at", "started_at"),
        Index("ix_scrape_runs_domain", "domain", "started_at"),
        Index("ix_scrape_runs_creation_key", "creation_key", unique=True),
    )

    run_id: Mapped[str] = mapped_column(primary_key=True)
    spider: Mapped[str]
    source: Mapped[str]
    """Whose items it is about: the name of a folder below `sources/`."""
    site: Mapped[str]
    """The address that was crawled."""
    arguments: Mapped[dict[str, Any]]
    settings: Mapped[dict[str, Any]]
    """Those that shape the result or the pace."""
    versions: Mapped[dict[str, Any]]
    command: Mapped[str | None]
    """As its newest process was started, passwords hidden; null in runs of older versions."""
    started_at: Mapped[str]
    ended_at: Mapped[str | None]
    discovered_at: Mapped[str | None]
    """When its inventory had been read in full."""
    discovery_worker: Mapped[str | None]
    """The worker that reads the inventory, and alone plans."""
    inventory_error: Mapped[str | None]
    """Why the inventory is not whole, and not read any further."""
    inventory_refusal: Mapped[str | None]
    """Why the site has none for these arguments."""
    inventory_warning: Mapped[str | None]
    """What of the inventory was not believed."""
    status: Mapped[str]
    """running, finished, stopped or failed."""
    end_reason: Mapped[str | None]
    requests_reserved: Mapped[int] = mapped_column(default=0, server_default="0")
    """Requests of its budget that its workers have set aside: sent, or to be sent. What a killed
    one had set aside counts as sent."""
    totals: Mapped[dict[str, Any] | None]
    domain: Mapped[str] = mapped_column(default="", server_default="")
    """The host of its site, by which programs ask for runs."""
    creation_key: Mapped[str | None]
    """What the program gave that created it, so that a repeat creates no other."""
    asked: Mapped[dict[str, Any] | None]
    """What the program said that created it over HTTP; null where a command has entered it."""


class WorkerRow(Base):
    """A process that works, or has worked, on a run."""

    __tablename__ = "scrape_workers"
    __table_args__ = (Index("ix_scrape_workers_run_id", "run_id"),)

    worker: Mapped[str] = mapped_column(primary_key=True)
    """Its host, its process id, and a token that no other one has: `host:pid:token`."""
    run_id: Mapped[str] = mapped_column(ForeignKey("scrape_runs.run_id", ondelete="CASCADE"))
    machine: Mapped[str | None]
    """Where its process id means anything: a host, and the space of process ids there."""
    jobdir: Mapped[str | None]
    """The directory whose lock it holds."""
    since: Mapped[str]
    lease_until: Mapped[float | None]
    """Until when it is believed to be alive, in seconds since 1970 by the database; null when it
    has left."""
    ended_at: Mapped[str | None]
    end_reason: Mapped[str | None]
    counts: Mapped[dict[str, Any] | None]
    """What it has done: items by outcome, items lost to others, requests, what its pace has cost;
    whether a feed was lost."""


IS_UNSETTLED = text("state IN ('failed', 'invalid', 'blocked')")
"""Holds for an item that asking again could bring further, in the words of the index of those: a
value that is bound to a statement would keep SQLite from using it."""


def _index_of_failures(name: str, *columns: str) -> Index:
    # Of PostgreSQL only the migration says so: here it would cost every command the dialect.
    return Index(f"ix_scrape_run_items_{name}", *columns, sqlite_where=IS_UNSETTLED)


class RunItemRow(Base):
    """One row an item and run: what is planned, under way and done."""

    __tablename__ = "scrape_run_items"
    __table_args__ = (
        # Claiming walks this index from its left end, so that it stays flat as the table grows.
        Index("ix_scrape_run_items_claim", "run_id", "state", "position"),
        Index("ix_scrape_run_items_item_id", "item_id"),
        # What has ended lately is found without looking at what ended long ago.
        Index("ix_scrape_run_items_closed_at", "run_id", "closed_at"),
        Index("ix_scrape_run_items_duration", "run_id", "duration"),
        # What failed is found at once, however much else there is.
        _index_of_failures("failed", "closed_at", "run_id", "item_id"),
        _index_of_failures("failed_category", "category", "closed_at", "run_id", "item_id"),
    )

    run_id: Mapped[str] = mapped_column(
        ForeignKey("scrape_runs.run_id", ondelete="CASCADE"), primary_key=True
    )
    item_id: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int]
    """Where it stands in the inventory."""
    in_inventory: Mapped[bool]
    """False for an id that was asked for by hand and that the site does not list."""
    listing: Mapped[dict[str, Any] | None]
    """What the inventory says about it, as its source has it."""
    state: Mapped[str]
    """pending → claimed → done, failed, invalid, gone or blocked."""
    outcome: Mapped[str | None]
    category: Mapped[str | None]
    reason: Mapped[str | None]
    http_status: Mapped[int | None]
    requests: Mapped[int | None]
    """HTTP requests spent on it in this run, repeated ones included."""
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    """How often it was claimed."""
    worker: Mapped[str | None]
    """The worker that holds it, or has brought it to its end."""
    fence: Mapped[int] = mapped_column(default=0, server_default="0")
    """Rises with every claim: only the worker of the latest can close it."""
    claimed_at: Mapped[str | None]
    closed_at: Mapped[str | None]
    duration: Mapped[float | None]
    """Seconds from its first request to its end."""
    url: Mapped[str | None]
    """As the program names it that created the run; null where that named no addresses."""


class RunCountRow(Base):
    """How many items of a run ended how; triggers of the database keep it with the items.

    What is counted alike stands in several rows, so that the workers of a run need not wait for
    each other: it is their sum that counts.
    """

    __tablename__ = "scrape_run_counts"

    run_id: Mapped[str] = mapped_column(
        ForeignKey("scrape_runs.run_id", ondelete="CASCADE"), primary_key=True
    )
    state: Mapped[str] = mapped_column(primary_key=True)
    """That of the items; `planned` counts all that the run has, ended or not."""
    outcome: Mapped[str] = mapped_column(primary_key=True)
    category: Mapped[str] = mapped_column(primary_key=True)
    """Empty where there is none."""
    shard: Mapped[str] = mapped_column(primary_key=True)
    items: Mapped[int]
    requests: Mapped[int]


class RunMinuteRow(Base):
    """How many items of a run ended how in a minute, kept in the same way."""

    __tablename__ = "scrape_run_minutes"

    run_id: Mapped[str] = mapped_column(
        ForeignKey("scrape_runs.run_id", ondelete="CASCADE"), primary_key=True
    )
    minute: Mapped[str] = mapped_column(primary_key=True)
    """Its beginning, as far as `2026-11-19T01:07`."""
    outcome: Mapped[str] = mapped_column(primary_key=True)
    shard: Mapped[str] = mapped_column(primary_key=True)
    items: Mapped[int]


class RunAnswerRow(Base):
    """An answer of a chain under way, so that a killed crawl need not ask for it again."""

    __tablename__ = "scrape_run_answers"
    __table_args__ = (
        ForeignKeyConstraint(
            ["run_id", "item_id"],
            ["scrape_run_items.run_id", "scrape_run_items.item_id"],
            ondelete="CASCADE",
        ),
    )

    run_id: Mapped[str] = mapped_column(primary_key=True)
    item_id: Mapped[str] = mapped_column(primary_key=True)
    part: Mapped[str] = mapped_column(primary_key=True)
    state: Mapped[dict[str, Any]]
    """How the part ended."""
    url: Mapped[str | None]
    http_status: Mapped[int | None]
    fetched_at: Mapped[str | None]
    body: Mapped[bytes | None] = mapped_column(LargeBinary)
    """Compressed as in `raw_answers`; null where there was no answer to keep."""
    requests: Mapped[int]
    """HTTP requests spent on the item so far."""


class ReceiptRow(Base):
    """The last transaction of a process, so that no repeat does the same once more."""

    __tablename__ = "receipts"

    writer: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int]
    """Rises with each unit of work."""
    at: Mapped[str]


class DomainRow(Base):
    """How a domain stands with all who ask it: the one pace that processes share.

    Its times are seconds since 1970 by the database's clock, but for `reset_at`.
    """

    __tablename__ = "domains"

    domain: Mapped[str] = mapped_column(primary_key=True)
    next_at: Mapped[float]
    """When its next token is due; in the past by as much as was saved up."""
    held_until: Mapped[float]
    """Until when the server asked to be left alone."""
    learned_rate: Mapped[float | None]
    """Requests per second that its complaints have taught us; null where it had none."""
    learned_borne: Mapped[float]
    """The highest rate that it was seen to bear; 0 while none is known."""
    learned_price: Mapped[float | None]
    """Seconds that its last complaint cost; null where it has never complained."""
    answers: Mapped[int]
    """Good answers since its last complaint, or since the first that was counted."""
    answers_since: Mapped[float | None]
    circuit_failures: Mapped[int]
    """In a row, over all processes."""
    circuit_failed_paths: Mapped[int]
    """How many of them were of requests that had not failed before."""
    circuit_opened_at: Mapped[float | None]
    """Null while the circuit is closed."""
    circuit_closed_at: Mapped[float]
    circuit_hold_seconds: Mapped[float]
    """How long it is left alone; 0 while it is in doubt only."""
    circuit_reason: Mapped[str]
    circuit_tripped_by: Mapped[str]
    circuit_host: Mapped[str]
    circuit_witnessed: Mapped[bool]
    """Whether the process that opened it knew an address of that host which was answered before."""
    circuit_probe: Mapped[str]
    """The name of the one probe that is out; empty while none is."""
    circuit_probe_at: Mapped[float]
    epoch: Mapped[int]
    """Rises with all that makes reservations void: a complaint, the circuit's opening."""
    revision: Mapped[int]
    """Rises with each change."""
    noted_at: Mapped[float]
    """When it last changed."""
    reset_at: Mapped[str | None]
    """When a person last closed the circuit by hand."""


class DomainMinuteRow(Base):
    """How a process has asked a domain in a minute."""

    __tablename__ = "domain_minutes"

    domain: Mapped[str] = mapped_column(primary_key=True)
    minute: Mapped[str] = mapped_column(primary_key=True)
    """Its beginning, as far as `2026-11-19T01:07`."""
    worker: Mapped[str] = mapped_column(primary_key=True)
    requests: Mapped[int]
    complaints: Mapped[int]
    """How often the server said that this was too much: 429."""
    allowed_rate: Mapped[float | None]
    """Requests a second that all processes together may send; null without a limit."""


class DomainEventRow(Base):
    """Something that has happened to a domain; noted once, whoever has seen it."""

    __tablename__ = "domain_events"

    domain: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    """opened, closed, reset, slowed."""
    reason: Mapped[str]
    tripped_by: Mapped[str]
    """What the last of the failures was."""
    seconds: Mapped[float | None]
    """For how long it is left alone."""
    rate: Mapped[float | None]
    """Requests a second that a complaint has taught."""


class TakedownRow(Base):
    """An item that was taken out of the archive and is never to be collected again.

    Nothing of the item is here but its id.
    """

    __tablename__ = "takedowns"

    source: Mapped[str] = mapped_column(primary_key=True)
    item_id: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[str]
    why: Mapped[str]
    """As the person has given it who took it down."""


class ToolAttemptRow(Base):
    """What a tool has brought of a source once; of each the last ten are kept."""

    __tablename__ = "tool_attempts"

    source: Mapped[str] = mapped_column(primary_key=True)
    tool: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[str] = mapped_column(primary_key=True)
    coverage: Mapped[float | None]
    """The share of the required fields; null where it brought no answer."""
    items: Mapped[int]
    seconds: Mapped[float]
    cost: Mapped[float]
    """In the unit of the tool's own price."""


class BrowserSessionsRow(Base):
    """The sessions of one account with a provider of browsers.

    All in one row, so that one statement changes what together must not be too much.
    """

    __tablename__ = "browser_sessions"

    account: Mapped[str] = mapped_column(primary_key=True)
    tag: Mapped[str]
    """What the sessions of this database carry, there where they run."""
    leases: Mapped[list[Any]]
    """One entry a session: `policies.sessions.book.Lease`."""
    begun: Mapped[list[Any]]
    """When it was known what had become of the creations of the last minute, since 1970."""
    held_until: Mapped[float]
    """The provider has asked to be left alone until then."""
    revision: Mapped[int]

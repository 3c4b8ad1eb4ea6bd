"""The archive as a whole: how many items of each source it has, how complete, how large."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Table, func, select, text
from sqlalchemy.orm import Session

from n8n_scraper.core.source import Noun, Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.finding import NEWEST_FIRST
from n8n_scraper.ledger.tables import RunRow
from n8n_scraper.records.tables import EventRow, RawAnswerRow, VersionRow

_NOT_OBSERVED_OF_THE_SOURCE = ("removed_at",)
"""Columns without a value while all is well."""

_BYTES = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many items have a value in a field."""

    field: str
    present: int
    total: int

    @property
    def percent(self) -> float | None:
        """Which part of them; None where there is no item."""
        return 100 * self.present / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What the archive has of one source."""

    source: str
    items: int
    present: int
    """How many of them the source still has."""
    removed: int
    outcomes: Mapping[str, int]
    newest: str | None
    """When the last of them was read."""
    oldest: str | None
    """When the one was read that was not read for longest."""
    coverage: tuple[Coverage, ...]
    """Of each field that may be without a value."""
    raw_answers: int
    raw_bytes: int
    """Of the answers as they came, before they were compressed."""
    versions: int
    events: int


@dataclass(frozen=True, slots=True)
class ArchiveReport:
    """What is in a database."""

    database: str
    """Its address, without its password."""
    bytes: int
    sources: tuple[SourceReport, ...]
    runs: int
    last_run: str | None


@dataclass(frozen=True, slots=True)
class SourceSize:
    """How many items the archive has of a source."""

    source: str
    noun: Noun
    items: int


def sizes(database: Database, sources: Iterable[Source]) -> tuple[SourceSize, ...]:
    """Count the items of each source, and nothing more."""

    def all_of_it(session: Session) -> tuple[SourceSize, ...]:
        return tuple(
            SourceSize(
                source.name,
                source.noun,
                session.scalar(select(func.count()).select_from(source.kind().table())) or 0,
            )
            for source in sources
        )

    return database.look(all_of_it)


def archive_report(database: Database, sources: Iterable[Source]) -> ArchiveReport:
    """Count what the archive has; takes the longer the more that is."""
    name = database.name

    def all_of_it(session: Session) -> ArchiveReport:
        size = _BYTES[session.get_bind().dialect.name]
        return ArchiveReport(
            database=name,
            bytes=int(session.scalar(text(size)) or 0),
            sources=tuple(_of_source(session, source) for source in sources),
            runs=session.scalar(select(func.count()).select_from(RunRow)) or 0,
            last_run=session.scalar(select(RunRow.run_id).order_by(*NEWEST_FIRST).limit(1)),
        )

    return database.look(all_of_it)


def coverage(database: Database, source: Source) -> tuple[Coverage, ...]:
    """Say of how many items of a source each field is known that may be unknown."""
    table = source.kind().table()
    counting = select(func.count()).select_from(table)
    return database.look(lambda session: _coverage(session, source, session.scalar(counting) or 0))


def _of_source(session: Session, source: Source) -> SourceReport:
    table = source.kind().table()
    total, removed, newest, oldest = session.execute(
        select(
            func.count(),
            func.count(table.c.removed_at),
            func.max(table.c.scraped_at),
            func.min(table.c.scraped_at),
        ).select_from(table)
    ).one()
    answers, size = session.execute(
        select(func.count(), func.coalesce(func.sum(RawAnswerRow.body_bytes), 0)).where(
            RawAnswerRow.source == source.name
        )
    ).one()
    return SourceReport(
        source=source.name,
        items=total,
        present=total - removed,
        removed=removed,
        outcomes=_outcomes(session, table),
        newest=newest,
        oldest=oldest,
        coverage=_coverage(session, source, total),
        raw_answers=answers,
        raw_bytes=int(size),
        versions=_count(session, VersionRow, source.name),
        events=_count(session, EventRow, source.name),
    )


def _outcomes(session: Session, table: Table) -> dict[str, int]:
    outcome = table.c.outcome
    rows = session.execute(select(outcome, func.count()).group_by(outcome).order_by(outcome))
    return {str(name): number for name, number in rows}


def _coverage(session: Session, source: Source, total: int) -> tuple[Coverage, ...]:
    table, fields = source.kind().table(), source.kind().item.model_fields
    names = [
        column.name
        for column in table.columns
        if column.nullable
        and column.name in fields  # and no copy for questions in SQL
        and column.name not in _NOT_OBSERVED_OF_THE_SOURCE
    ]
    present = session.execute(select(*(func.count(table.c[name]) for name in names))).one()
    return tuple(Coverage(name, number, total) for name, number in zip(names, present, strict=True))


def _count(session: Session, row: type[VersionRow | EventRow], source: str) -> int:
    query = select(func.count()).select_from(row).where(row.source == source)
    return session.scalar(query) or 0

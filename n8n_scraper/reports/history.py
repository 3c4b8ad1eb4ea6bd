"""What happened to the items: events of all of them, and the whole history of one."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, select, tuple_
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import BadInput, NotThere
from n8n_scraper.core.packing import unpack_json
from n8n_scraper.core.source import Content, Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records.tables import EventRow, VersionRow


@dataclass(frozen=True, slots=True)
class EventReport:
    """One thing that happened, with the title that the item has now."""

    id: int
    source: str
    item_id: str
    title: str | None
    run_id: str
    at: str
    kind: str
    details: dict[str, Any]

    def as_json(self, key: str) -> dict[str, Any]:
        """The same for machines, the id under the name that the items of the source have for it."""
        return {
            "id": self.id,
            key: self.item_id,
            "title": self.title,
            "run_id": self.run_id,
            "at": self.at,
            "kind": self.kind,
            "details": self.details,
        }


@dataclass(frozen=True, slots=True)
class VersionReport:
    """What the authors of an item had written as of one moment, without the text itself."""

    number: int
    content_hash: str | None
    run_id: str
    seen_at: str


@dataclass(frozen=True, slots=True)
class ItemHistory:
    """All that happened to one item."""

    source: str
    item_id: str
    removed_at: str | None
    """Since when the source has not had it; None as long as it has."""
    versions: tuple[VersionReport, ...]
    events: tuple[EventReport, ...]


@dataclass(frozen=True, slots=True)
class VersionsCompared:
    """What differs between two versions of an item."""

    item_id: str
    older: int
    newer: int
    versions: int
    """How many there are."""
    removed_at: str | None
    changes: dict[str, Any]

    def as_json(self, key: str) -> dict[str, Any]:
        """The same for machines; the names of the keys stay as they are."""
        return {
            key: self.item_id,
            "from": self.older,
            "to": self.newer,
            "versions": self.versions,
            "removed_at": self.removed_at,
            "changes": self.changes,
        }


def events_since(
    database: Database, sources: Iterable[Source], since: str, kinds: Collection[str] = ()
) -> list[EventReport]:
    """Give what has happened to the items of these sources since then, the newest last."""
    queries = [_events(source).where(EventRow.at >= since) for source in sources]
    if kinds:
        queries = [query.where(EventRow.kind.in_(kinds)) for query in queries]

    def all_of_them(session: Session) -> list[EventReport]:
        return [EventReport(*row) for query in queries for row in session.execute(query)]

    return sorted(database.look(all_of_them), key=lambda event: (event.at, event.id))


EventPlace = tuple[str, int]
"""Where an event stands among all: when it was, and its number."""


def events_page(
    database: Database,
    sources: Iterable[Source],
    *,
    since: str | None = None,
    kinds: Collection[str] = (),
    after: EventPlace | None = None,
    most: int = 50,
) -> list[EventReport]:
    """Give what has happened to the items of these sources, the oldest first: a page."""
    conditions = [] if since is None else [EventRow.at >= since]
    if kinds:
        conditions.append(EventRow.kind.in_(kinds))
    if after is not None:
        conditions += [EventRow.at >= after[0], tuple_(EventRow.at, EventRow.id) > after]
    queries = [_events(source).where(*conditions).limit(most) for source in sources]

    def all_of_them(session: Session) -> list[EventReport]:
        return [EventReport(*row) for query in queries for row in session.execute(query)]

    found = sorted(database.look(all_of_them), key=lambda event: (event.at, event.id))
    return found[:most]


def version_content(database: Database, source: Source, item_id: str, number: int) -> Content:
    """Give what the authors of an item had written as of a version."""

    def content(session: Session) -> Content:
        if session.get(VersionRow, (source.name, item_id, number)) is None:
            raise NotThere(f"{source.noun} {item_id!r} has no version {number}.")
        return _content(session, source, item_id, number)

    return database.look(content)


def events_before(
    database: Database,
    source: Source,
    before: int | None,
    kinds: Collection[str],
    most: int,
) -> list[EventReport]:
    """Give so many events of a source, the newest first: those before one, or the last of all."""
    query = _events(source).order_by(None).order_by(EventRow.id.desc()).limit(most)
    if before is not None:
        query = query.where(EventRow.id < before)
    if kinds:
        query = query.where(EventRow.kind.in_(kinds))
    return database.look(lambda session: [EventReport(*row) for row in session.execute(query)])


def item_history(database: Database, source: Source, item_id: str) -> ItemHistory:
    """Give all that happened to an item, the newest last."""
    query = _events(source).where(EventRow.item_id == item_id)

    def all_of_it(session: Session) -> ItemHistory:
        return ItemHistory(
            source=source.name,
            item_id=item_id,
            removed_at=_removed_at(session, source, item_id),
            versions=_versions(session, source, item_id),
            events=tuple(EventReport(*row) for row in session.execute(query)),
        )

    return database.look(all_of_it)


def compare_versions(
    database: Database,
    source: Source,
    item_id: str,
    older: int | None = None,
    newer: int | None = None,
) -> VersionsCompared:
    """Give the difference of two versions, of the last two where none is named."""

    def all_of_it(session: Session) -> VersionsCompared:
        numbers = [one.number for one in _versions(session, source, item_id)]
        if not numbers:
            raise BadInput(f"the archive has no version of {source.noun} {item_id!r}.")
        right = numbers[-1] if newer is None else newer
        before = (number for number in numbers if number < right)
        left = max(before, default=right) if older is None else older
        if left not in numbers or right not in numbers:
            raise BadInput(
                f"{source.noun} {item_id} has the versions {numbers[0]} to {numbers[-1]}."
            )
        was, became = (_content(session, source, item_id, number) for number in (left, right))
        found = source.kind().authored.changes(was, became, ())
        removed_at = _removed_at(session, source, item_id)
        return VersionsCompared(item_id, left, right, len(numbers), removed_at, found)

    return database.look(all_of_it)


def _events(source: Source) -> Select[Any]:
    table = source.kind().table()
    columns = (
        EventRow.id,
        EventRow.source,
        EventRow.item_id,
        table.c.title,
        EventRow.run_id,
        EventRow.at,
        EventRow.kind,
        EventRow.details,
    )
    query = select(*columns).join(table, table.c[source.key] == EventRow.item_id)
    return query.where(EventRow.source == source.name).order_by(EventRow.at, EventRow.id)


def _versions(session: Session, source: Source, item_id: str) -> tuple[VersionReport, ...]:
    row = VersionRow
    query = select(row.version, row.content_hash, row.run_id, row.seen_at)
    query = query.where(row.source == source.name, row.item_id == item_id).order_by(row.version)
    return tuple(VersionReport(*found) for found in session.execute(query))


def _content(session: Session, source: Source, item_id: str, number: int) -> Content:
    row = session.get_one(VersionRow, (source.name, item_id, number))
    content: Content = unpack_json(row.content)
    return content


def _removed_at(session: Session, source: Source, item_id: str) -> str | None:
    table = source.kind().table()
    return session.scalar(select(table.c.removed_at).where(table.c[source.key] == item_id))

"""What is stored of the items of a source: a page, one in full, what is followed over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, null, select
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import NotThere
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import items


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item in a list."""

    item_id: str
    title: str | None
    url: str | None
    outcome: str
    in_inventory: bool
    removed_at: str | None
    """Since when the source has not had it."""
    content_hash: str | None
    scraped_at: str
    run_id: str


def stored_items(
    database: Database,
    source: Source,
    *,
    removed: bool | None = None,
    after: str | None = None,
    most: int = 50,
) -> list[StoredItem]:
    """Give the items of a source in the order of their ids: a page, from behind one of them on."""
    columns = source.kind().table().c
    key: ColumnElement[Any] = columns[source.key]
    names = ("outcome", "in_inventory", "removed_at", "content_hash", "scraped_at", "run_id")
    url = columns.get("url", null().label("url"))
    query = select(key, columns.title, url, *(columns[name] for name in names))
    if removed is not None:
        gone = columns.removed_at.is_not(None)
        query = query.where(gone if removed else ~gone)
    if after is not None:
        query = query.where(key > after)
    query = query.order_by(key).limit(most)
    return database.look(lambda session: [StoredItem(*row) for row in session.execute(query)])


def stored_item(database: Database, source: Source, item_id: str) -> dict[str, Any]:
    """Give an item as it is stored, under the names that it has in feeds and exports."""

    def it(session: Session) -> dict[str, Any]:
        found = items.load(session, source, item_id)
        if found is None:
            raise _none(source, item_id)
        return found.model_dump(mode="json")

    return database.look(it)


def check_is_stored(database: Database, source: Source, item_id: str) -> None:
    """Raise NotThere where an item is not in the archive."""
    key = source.kind().table().c[source.key]
    query = select(key).where(key == item_id)
    if database.look(lambda session: session.scalar(query)) is None:
        raise _none(source, item_id)


def item_samples(database: Database, source: Source, item_id: str) -> list[Mapping[str, Any]]:
    """Give what of an item is followed over time, the newest last; nothing where nothing is."""
    samples = source.kind().samples
    if samples is None:
        return []
    columns = samples.table().c
    kept = [column for column in columns if column.name != source.key]
    query = select(*kept).where(columns[source.key] == item_id).order_by(columns.at)
    return database.look(lambda session: [dict(row) for row in session.execute(query).mappings()])


def _none(source: Source, item_id: str) -> NotThere:
    return NotThere(f"the archive has no {source.noun} {item_id!r}.")

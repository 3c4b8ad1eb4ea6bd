"""Note what an item announces: which others announce the same, and whether it is an event at all.

Imported only where a source has such items: comparing takes a library of its own.
"""

from __future__ import annotations

from sqlalchemy.orm import Session

from n8n_scraper.core.item import Item
from n8n_scraper.core.source import Source
from n8n_scraper.records import matches, reviews


def note(session: Session, source: Source, item: Item) -> None:
    """Note it of an item that is being stored."""
    record = source.kind().row(item)
    matches.note(session, source, record[source.key], record)
    reviews.note(session, source, record[source.key], record, item.scraped_at)


def note_stored(session: Session, source: Source, item_id: str) -> None:
    """Note it of an item as its row has it, where something else than a crawl has changed that."""
    matches.note_stored(session, source, item_id)
    reviews.note_stored(session, source, item_id)

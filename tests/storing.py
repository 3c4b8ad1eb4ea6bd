"""Store items of any source as a crawl does, and let them be found at once."""

from collections.abc import Collection
from typing import TypeVar

from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import Answer, Written
from n8n_scraper.core.item import Item
from n8n_scraper.core.source import Source
from n8n_scraper.records import items
from n8n_scraper.records.indexing import index_stored

I = TypeVar("I", bound=Item)  # noqa: E741 - an item


def save(
    session: Session,
    source: Source,
    item: I,
    answers: Collection[Answer] = (),
    written: Written | None = None,
) -> I:
    """Store an item, index it, and give it back as it is stored."""
    stored = items.save(session, source, item, answers, written)
    index_stored(session, source, {str(source.id_of(item)): stored.found_by})
    return stored.item

"""Finish an item: all the pure work on the answers of a chain, in one piece.

Nothing here needs the crawl, so that it can be done in another process: raw answers go in, and
what comes out is the item, and the item as the database takes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from n8n_scraper.core.computing import compute
from n8n_scraper.records.written import write_down

if TYPE_CHECKING:
    from n8n_scraper.core.dossier import Dossier, Written
    from n8n_scraper.core.item import Item, PartState
    from n8n_scraper.core.source import Provenance, Source


@dataclass(frozen=True, slots=True)
class Order:
    """What has to be known of the crawl to finish an item."""

    provenance: Provenance
    ahead: bool = True
    """Whether to compute and write out the item here, because nobody else changes it."""
    off: frozenset[str] = frozenset()
    """The computed fields that are not wanted."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How the parts of an item have ended, and what was made of them."""

    parts: dict[str, PartState]
    item: Item | None = None
    written: Written | None = None


def finish(source: Source, dossier: Dossier, order: Order) -> Finished:
    """Read all answers of a chain, and make the item of them if they have brought anything."""
    kind = source.kind()
    for answer in dossier.answers.values():
        kind.read(dossier, answer)
    if not dossier.has_data:
        return Finished(dossier.parts)
    item = kind.assemble(dossier, order.provenance)
    if not order.ahead:
        return Finished(dossier.parts, item)
    compute(kind.computed, item, off=order.off)
    return Finished(dossier.parts, item, write_down(source, item, dossier.answers.values()))

"""Open the dossier of a stored item again, its answers left out."""

from __future__ import annotations

from collections.abc import Callable

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.item import PartState
from n8n_scraper.core.source import Provenance, Record

_OF_ITS_CRAWL = ("run_id", "scraped_at", "processing_time")


def reopening(key: str) -> Callable[[Record], tuple[Dossier, Provenance]]:
    """Give what opens it, for items that this field tells apart and that name no site of theirs."""

    def reopen(record: Record) -> tuple[Dossier, Provenance]:
        dossier = Dossier(Planned(record[key], record["in_inventory"]), started=0.0)
        states = record["parts"].items()
        dossier.parts = {part: PartState.model_validate(state) for part, state in states}
        return dossier, Provenance(site="", **{name: record[name] for name in _OF_ITS_CRAWL})

    return reopen

"""Make a template anew: what its record tells of its chain, and what is left in it of earlier ones.

A better reader reaches by it what came long ago; with the same readers the record comes out as it
is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.item import PartState
from n8n_scraper.core.source import Provenance, Record
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.rules.kept_content import shown_again

_LISTED = {"slug": "inventory", "price": "search", "purchase_url": "search"}
"""The fields that a listing can bring, and what `sources` says of them then."""


def reopen(record: Record) -> tuple[Dossier, Provenance]:
    """Open the dossier of a template as its last chain has left it, the answers left out."""
    planned = Planned(record["workflow_id"], record["in_inventory"], _listing(record))
    dossier = Dossier(planned, started=0.0)
    dossier.parts = {
        layer: PartState.model_validate(state) for layer, state in record["layers"].items()
    }
    provenance = Provenance(
        site=record["url"],  # the address is made from it, and begins with it
        run_id=record["run_id"],
        scraped_at=record["scraped_at"],
        processing_time=record["processing_time"],
    )
    return dossier, provenance


def refresh(record: Record, template: Template) -> Record:
    """Give a record in which each value is as in a template that was made of all its answers.

    A value that the template has from another place, or not at all, stays as the record has it.
    """
    again = template.model_dump(mode="json")
    read = {
        field: again[field]
        for field, source in record["sources"].items()
        if again["sources"].get(field) == source
    }
    if "slug" in read:
        read["url"] = again["url"]
    if read.get("explainer") and not _has_page_text(record):
        read["explainer"] |= {"page_text": None, "differences": []}  # it was dropped since
    return {**record, **read, **shown_again(record, again)}


def _listing(record: Record) -> Mapping[str, Any]:
    return {
        field: record[field]
        for field, source in _LISTED.items()
        if record["sources"].get(field) == source
    }


def _has_page_text(record: Record) -> bool:
    return (record["explainer"] or {}).get("page_text") is not None

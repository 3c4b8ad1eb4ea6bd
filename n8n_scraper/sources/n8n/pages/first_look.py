"""Read the metadata only for what they say about the steps to come."""

from __future__ import annotations

from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.item import PartState
from n8n_scraper.sources.n8n.pages.answers import metadata_in
from n8n_scraper.sources.n8n.pages.layers import settle
from n8n_scraper.sources.n8n.rules.chain import Brought


def first_look(planned: Planned, answer: Answer) -> tuple[PartState, Brought]:
    """Give how their layer ends by what they say, and what they bring."""
    dossier = Dossier(planned, started=0.0)
    settle(dossier, answer)
    return dossier.parts[answer.part], brought_in(dossier)


def brought_in(dossier: Dossier) -> Brought:
    """Say what the metadata bring."""
    metadata = metadata_in(dossier)
    return Brought(
        workflow=bool(metadata and metadata.workflow),
        explanation=bool(metadata and metadata.description),
    )

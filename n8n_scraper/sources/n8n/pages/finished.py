"""Make a finished template of a chain's answers: all the pure work on it, in one piece.

Nothing here needs the crawl, so that it can be done in another process: raw answers go in, and
what comes out is the item, and the item as the database takes it.
"""

from __future__ import annotations

from dataclasses import dataclass

from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.item import PartState
from n8n_scraper.core.source import Provenance
from n8n_scraper.records.written import Written, write_down
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.pages.answers import metadata_in
from n8n_scraper.sources.n8n.pages.layers import settle
from n8n_scraper.sources.n8n.pages.template import assemble
from n8n_scraper.sources.n8n.rules.chain import Brought
from n8n_scraper.sources.n8n.rules.computed import compute_all


@dataclass(frozen=True, slots=True)
class Order:
    """What has to be known of the crawl to finish a template."""

    provenance: Provenance
    checks_ahead: bool = True
    """Whether to check, score and write out the item here, because nobody else changes it."""
    look_for_secrets: bool = True


@dataclass(frozen=True, slots=True)
class Finished:
    """How the parts of a template have ended, and what was made of them."""

    parts: dict[str, PartState]
    template: Template | None = None
    written: Written | None = None


def first_look(planned: Planned, answer: Answer) -> tuple[PartState, Brought]:
    """Read an answer only for what it says about the steps to come."""
    dossier = Dossier(planned, started=0.0)
    settle(dossier, answer)
    metadata = metadata_in(dossier)
    return dossier.parts[answer.part], Brought(
        workflow=bool(metadata and metadata.workflow),
        explanation=bool(metadata and metadata.description),
    )


def finish(dossier: Dossier, order: Order) -> Finished:
    """Read all answers of a chain, and make the item of them if they have brought anything."""
    for answer in dossier.answers.values():
        settle(dossier, answer)
    if not dossier.has_data:
        return Finished(dossier.parts)
    template = assemble(dossier, order.provenance)
    if not order.checks_ahead:
        return Finished(dossier.parts, template)
    compute_all(template, secrets_wanted=order.look_for_secrets)
    return Finished(dossier.parts, template, write_down(template, dossier.answers.values()))

"""Put a template together from the answers of its chain.

Every field is a list of places where it can stand, the best first. The first place that has it
wins and is noted as its source; where none has it, the reason is noted instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

from n8n_scraper.core.dossier import Dossier
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.core.source import Place, Provenance
from n8n_scraper.policies.run.outcome import outcome_of
from n8n_scraper.sources.n8n.item import Author, Image, Note, Template
from n8n_scraper.sources.n8n.pages import workflow as facts
from n8n_scraper.sources.n8n.pages.agreement import agreement_of
from n8n_scraper.sources.n8n.pages.answers import metadata_in, page_in, workflow_json_in
from n8n_scraper.sources.n8n.pages.explainer import explain
from n8n_scraper.sources.n8n.pages.markdown import Picture, pictures_in
from n8n_scraper.sources.n8n.pages.pictures import images_of
from n8n_scraper.sources.n8n.pages.videos import other_video_links_in, videos_in
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.rules.computed import COMPUTED, take_fingerprint

Candidates = list[tuple[str, Any]]
# The fields that count what the workflow holds.
_OF_WORKFLOW = (
    *("node_count", "note_count", "connection_count", "node_types", "trigger_types"),
    *("credential_types", "community_nodes", "notes"),
)


def assemble(dossier: Dossier, provenance: Provenance) -> Template:
    """Turn a finished dossier into the item that everything downstream works with."""
    observed, sources, unobserved = _settle_fields(dossier, _candidates(dossier))
    slug = observed.get("slug")
    path = f"/workflows/{dossier.item_id}" + (f"-{slug}/" if slug else "/")
    template = Template(
        workflow_id=dossier.item_id,
        url=urljoin(provenance.site, path),
        outcome=outcome_of(dossier.parts),
        layers={Layer(part): state for part, state in dossier.parts.items()},
        in_inventory=dossier.planned.listed,
        run_id=provenance.run_id,
        scraped_at=provenance.scraped_at,
        processing_time=provenance.processing_time,
        sources=sources,
        unobserved=unobserved,
        **observed,
    )
    take_fingerprint(template)
    return template


def places(dossier: Dossier) -> dict[str, tuple[Place, ...]]:
    """Tell of each field where it can stand, the best place first, and why it does not there."""
    return {
        field: tuple(
            Place(source, _why_not_in(dossier, source) if value is None else None)
            for source, value in candidates
        )
        for field, candidates in _candidates(dossier).items()
    }


def _candidates(dossier: Dossier) -> dict[str, Candidates]:
    """The table: where each field can stand, the best place first."""
    listing, metadata = dossier.planned.listing, metadata_in(dossier)
    workflow_json, page = workflow_json_in(dossier), page_in(dossier)
    workflow_places: Candidates = [
        ("json", workflow_json and workflow_json.workflow),
        ("metadata", metadata and metadata.workflow),
        ("page", page and page.workflow),
    ]
    explained = explain(
        metadata.description if metadata else None,
        page.text if page else None,
        page.markdown if page else None,
    )
    of_workflow = _workflow_facts(workflow_places)
    workflow = _first(workflow_places)
    notes = _first(of_workflow["notes"]) if workflow else None
    texts = list(_texts(dossier, workflow[1] if workflow else {}, notes[1] if notes else []))
    has_content = bool(metadata or page or texts)
    return {
        "slug": [("inventory", listing.get("slug")), ("page", page and page.slug)],
        "title": [
            ("metadata", metadata and metadata.title),
            ("json", workflow_json and workflow_json.title),
            ("page", page and page.title),
        ],
        "description": [("metadata", metadata and metadata.description)],
        "author": [("metadata", metadata and metadata.author), ("page", _page_author(dossier))],
        "categories": [
            ("metadata", metadata and metadata.categories),
            ("page", (page and page.categories) or None),
        ],
        "created_at": [("metadata", metadata and metadata.created_at)],
        "last_update_text": [("page", page and page.last_update_text)],
        "views": [("metadata", metadata and metadata.views)],
        "recent_views": [("metadata", metadata and metadata.recent_views)],
        "price": [
            ("search", listing.get("price")),
            ("metadata", metadata and metadata.price),
            ("page", page and page.price),
        ],
        "purchase_url": [
            ("search", listing.get("purchase_url")),
            ("metadata", metadata and metadata.purchase_url),
            ("page", page and page.purchase_url),
        ],
        "workflow": workflow_places,
        **of_workflow,
        "explainer": [("metadata" if metadata else "page", explained and explained.explainer)],
        "images": [("content", _images(dossier, texts) if has_content else None)],
        "videos": [("content", videos_in(texts) if has_content else None)],
        "other_video_links": [("content", other_video_links_in(texts) if has_content else None)],
        "agreement": [
            ("computed", agreement_of(dossier, explained.comparison if explained else None))
        ],
    }


def _workflow_facts(places: Candidates) -> dict[str, Candidates]:
    if (found := _first(places)) is None:
        return dict.fromkeys(_OF_WORKFLOW, places)  # they are lacking for the workflow's reasons
    source, workflow = found
    wires, types = facts.edges(workflow), facts.node_types(workflow)
    values = (
        len(facts.working_nodes(workflow)),
        len(facts.note_nodes(workflow)),
        len(wires),
        types,
        sorted(filter(facts.is_trigger, types)),
        facts.credential_types(workflow),
        sorted(filter(facts.is_community, types)),
        facts.notes(workflow, wires),
    )
    return {field: [(source, value)] for field, value in zip(_OF_WORKFLOW, values, strict=True)}


def _settle_fields(
    dossier: Dossier, table: dict[str, Candidates]
) -> tuple[dict[str, Any], dict[str, str], dict[str, str]]:
    observed: dict[str, Any] = {}
    sources: dict[str, str] = {}
    unobserved = {one.field: one.not_yet for one in COMPUTED}
    for field, places in table.items():
        if found := _first(places):
            sources[field], observed[field] = found
        else:
            unobserved[field] = _why_unobserved(dossier, places)
    return observed, sources, unobserved


def _first(places: Candidates) -> tuple[str, Any] | None:
    return next(((source, value) for source, value in places if value is not None), None)


def _why_unobserved(dossier: Dossier, places: Candidates) -> str:
    """Say for each place why it has nothing, so that nobody needs to guess."""
    return "; ".join(dict.fromkeys(_why_not_in(dossier, source) for source, _ in places))


def _why_not_in(dossier: Dossier, source: str) -> str:
    if source == "search":
        return "search was not asked"
    if source == "inventory":
        return "not in the inventory"
    layer = {"json": Layer.JSON, "page": Layer.EXPLAINER}.get(source, Layer.METADATA)
    state = dossier.parts.get(layer)
    if state is None or state.status is PartStatus.OK:
        return f"{layer} does not give it"
    return f"{layer} {state.status}: {state.reason}"


def _page_author(dossier: Dossier) -> Author | None:
    page = page_in(dossier)
    if page is None or page.author_name is None:
        return None
    return Author(name=page.author_name, username=page.author_username)


def _texts(
    dossier: Dossier, workflow: dict[str, Any], notes: list[Note]
) -> Iterator[tuple[str, str]]:
    """What authors wrote, each text with its place."""
    metadata, page = metadata_in(dossier), page_in(dossier)
    if metadata and metadata.description:
        yield "description", metadata.description
    yield from (("note", note.text) for note in notes if note.text)
    yield from (("node note", text) for text in facts.node_notes(workflow))
    if page:
        yield "page", "\n".join([page.text, *page.addresses])


def _images(dossier: Dossier, texts: list[tuple[str, str]]) -> list[Image]:
    metadata = metadata_in(dossier)
    attached = metadata.images if metadata else []
    return images_of(_pictures(dossier, texts), attached)


def _pictures(dossier: Dossier, texts: list[tuple[str, str]]) -> Iterator[tuple[str, Picture]]:
    for place, text in texts:
        if place in ("description", "note"):
            yield from ((place, picture) for picture in pictures_in(text))
    if page := page_in(dossier):
        yield from (("page", picture) for picture in page.pictures)

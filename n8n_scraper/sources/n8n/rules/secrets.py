"""Where in a template secrets are looked for, and which of its fields no author writes."""

from __future__ import annotations

from typing import Any

from n8n_scraper.policies.safety.finding import SecretFinding
from n8n_scraper.policies.safety.secrets import findings_in
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.pages import reading
from n8n_scraper.sources.n8n.pages.workflow import STICKY_NOTE

# The author is whom to credit; all else is the author's text.
_TELLS_APART = ("workflow_id", "url", "slug", "author", "categories")
_MEASURED = (
    *("created_at", "last_update_text", "views", "recent_views", "price", "purchase_url"),
    *("node_count", "note_count", "connection_count", "node_types", "trigger_types"),
    *("credential_types", "community_nodes"),
)
KEPT = frozenset((*_TELLS_APART, *_MEASURED, "secrets", "layers"))
"""What stays when secrets are taken out, besides what the crawl says of itself."""


def find_secrets(template: Template) -> list[SecretFinding]:
    """Look through a template's workflow, its notes and its description."""
    described: dict[str, Any] = {"description": template.description}
    if template.description is None and template.explainer is not None:
        described = {"explainer": {"page_text": template.explainer.page_text}}
    notes = _places_of_notes(template.workflow or {})
    return findings_in({"workflow": template.workflow} | described, known_as=notes)


def _places_of_notes(workflow: dict[str, Any]) -> dict[str, str]:
    """Where the text of each note stands in the workflow, and where in the item's `notes`."""
    nodes = reading.listing(workflow.get("nodes"))
    places = [
        f"workflow.nodes[{index}].parameters.content"
        for index, node in enumerate(nodes)
        if isinstance(node, dict) and node.get("type") == STICKY_NOTE
    ]
    return {place: f"notes[{index}].text" for index, place in enumerate(places)}

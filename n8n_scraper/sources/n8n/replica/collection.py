"""Gathers templates into the eight collections of the site."""

from typing import Any

from n8n_scraper.sources.n8n.replica.catalogue import Catalogue

_NAMES = (
    "First steps with agents",
    "Paperwork without paper",
    "A calmer inbox",
    "Shops that run themselves",
    "Support around the clock",
    "Marketing in the morning",
    "Data in its place",
    "Small helpers",
)
_PER_COLLECTION = 6
_CREATED_AT = "2024-03-{day:02d}T09:30:00.000Z"


def collections_answer(catalogue: Catalogue) -> dict[str, Any]:
    """Build the answer of ``GET /api/templates/collections``."""
    return {"collections": [_entry(catalogue, number) for number in range(1, len(_NAMES) + 1)]}


def collection_answer(catalogue: Catalogue, number: int) -> dict[str, Any] | None:
    """Build the answer of ``GET /api/templates/collections/{id}``, or nothing."""
    if not 1 <= number <= len(_NAMES):
        return None
    entry = _entry(catalogue, number)
    told = {
        "id": number,
        "name": entry["name"],
        "description": f"Templates for everyone who looks for this: {entry['name'].lower()}.",
        "totalViews": entry["totalViews"],
        "createdAt": entry["createdAt"],
        "nodes": [],
        "categories": [],
        "workflows": [catalogue[one["id"]].search_item() for one in entry["workflows"]],
        "image": [],
    }
    return {"collection": told}


def _entry(catalogue: Catalogue, number: int) -> dict[str, Any]:
    ids = catalogue.ids[number - 1 :: len(_NAMES)][:_PER_COLLECTION]
    return {
        "id": number,
        "rank": number,
        "name": _NAMES[number - 1],
        "totalViews": None if number % 4 == 0 else number * 1000,
        "createdAt": _CREATED_AT.format(day=number),
        "workflows": [{"id": template_id} for template_id in ids],
        "nodes": [],
    }

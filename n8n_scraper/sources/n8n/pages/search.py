"""Read a search answer: `GET {api}/api/templates/search`, the only place that names a price."""

from __future__ import annotations

from dataclasses import dataclass

from n8n_scraper.core.errors import BadContent
from n8n_scraper.sources.n8n.pages import reading


@dataclass(frozen=True, slots=True)
class Listed:
    """What a search page says about one template beyond what its own answers say."""

    workflow_id: str
    price: float | None
    purchase_url: str | None


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One page of a search."""

    total: int
    templates: list[Listed]


def read_search(body: bytes) -> SearchPage:
    """Turn a search answer into the ids it lists, with their prices."""
    answer = reading.load_object(body)
    total = reading.count(answer.get("totalWorkflows"))
    items = answer.get("workflows")
    if total is None or not isinstance(items, list):
        raise BadContent("a search answer without totalWorkflows and workflows")
    return SearchPage(total, [listed for listed in map(_listed, items) if listed])


def _listed(value: object) -> Listed | None:
    item = reading.mapping(value)
    workflow_id = reading.identity(item.get("id"))
    if workflow_id is None:
        return None
    return Listed(
        workflow_id,
        price=reading.number(item.get("price")),
        purchase_url=reading.filled(item.get("purchaseUrl")),
    )

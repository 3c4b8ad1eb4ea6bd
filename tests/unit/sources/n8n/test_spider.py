"""Callbacks that are called by themselves, as `scrapy parse` does, with no run behind them."""

import asyncio
import json
from typing import Any

import pytest
from scrapy.http import Request, Response
from scrapy.utils.test import get_crawler

from n8n_scraper.core.errors import BadInput
from n8n_scraper.sources.n8n.spider import WorkflowsSpider

SETTINGS = {
    "N8N_SITE_URL": "https://n8n.io",
    "N8N_API_URL": "https://api.n8n.io",
    "DATABASE_URL": "sqlite:////nonexistent/none.db",
    "DATABASE_PATIENCE": 0,
}
METADATA = "https://api.n8n.io/api/templates/workflows/7"
SEARCH = "https://api.n8n.io/api/templates/search"


def parsed(callback: str, url: str, answer: object, **arguments: str) -> list[Any]:
    """What a callback makes of an answer."""
    spider = WorkflowsSpider.from_crawler(get_crawler(settings_dict=SETTINGS), **arguments)
    response = Response(url, body=json.dumps(answer).encode())

    async def collect() -> list[Any]:
        return [one async for one in getattr(spider, callback)(response)]

    return asyncio.run(collect())


@pytest.mark.parametrize("callback", ["parse", "parse_metadata"])
def test_a_template_is_known_by_its_address_and_its_chain_goes_on(callback: str) -> None:
    [request] = parsed(callback, METADATA, {"workflow": {"id": 7, "name": "A"}})

    assert isinstance(request, Request)
    assert request.url == "https://api.n8n.io/api/workflows/templates/7"


def test_what_came_before_in_the_chain_was_not_asked_and_is_said_so() -> None:
    [request] = parsed("parse_json", "https://api.n8n.io/api/workflows/templates/7", {})

    dossier = request.cb_kwargs["dossier"]
    assert request.url == "https://n8n.io/workflows/7/"
    assert dossier.parts["metadata"].status == "skipped"
    assert dossier.parts["metadata"].reason == "not asked for: the chain began later"


@pytest.mark.parametrize(
    ("callback", "url"),
    [
        ("parse", "https://n8n.io/sitemap_index.xml"),
        ("parse_json", METADATA),
    ],
)
def test_an_address_of_another_kind_is_refused_with_its_name(callback: str, url: str) -> None:
    with pytest.raises(BadInput, match=f"{url} is no address of a template"):
        parsed(callback, url, {})


def test_a_search_goes_on_within_the_category_that_was_named() -> None:
    answer = {"totalWorkflows": 300, "workflows": [{"id": 1}]}

    [following] = parsed("parse_search", SEARCH, answer, category="AI")
    with pytest.raises(BadInput, match="-a category=AI"):
        parsed("parse_search", SEARCH, answer)

    assert "category=AI&page=2" in following.url

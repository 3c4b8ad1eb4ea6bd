"""A recorded answer and the item that our spider's callback makes of it, side by side."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

from scrapy.http import Response
from scrapy.utils.test import get_crawler

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.item import PartStatus
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.spider import WorkflowsSpider

EXPECTED = Path(__file__).parent / "expected"
SITE = "http://127.0.0.1:8899"
# What differs with every run.
PASSING = {"scraped_at", "processing_time"}


def cases() -> dict[str, dict[str, Any]]:
    """Every case by its name: the file that stands in the folder."""
    return {
        file.stem: json.loads(file.read_text(encoding="utf-8"))
        for file in sorted(EXPECTED.glob("*.json"))
    }


def item_from(response: Response, case: dict[str, Any]) -> dict[str, Any]:
    """Call the callback of the case's layer, with the two other layers settled before it."""
    layer, dossier = Layer(case["layer"]), Dossier(Planned(case["asked"]), time.monotonic())
    for other in Layer:
        if other is not layer:
            dossier.settle(other, PartStatus(case["others"]), "not part of this test")
    template = asyncio.run(_called(response, layer, dossier))
    return template.model_dump(mode="json", exclude=PASSING)


async def _called(response: Response, layer: Layer, dossier: Dossier) -> Template:
    settings = {
        "N8N_SITE_URL": SITE,
        "N8N_API_URL": SITE,
        "DATABASE_URL": "sqlite:///never-opened.db",
    }
    spider = WorkflowsSpider.from_crawler(get_crawler(WorkflowsSpider, settings))
    callback = {
        Layer.METADATA: spider.parse_metadata,
        Layer.JSON: spider.parse_json,
        Layer.EXPLAINER: spider.parse_explainer,
    }[layer]
    (given,) = [one async for one in callback(response, dossier=dossier)]
    assert isinstance(given, Template)
    return given

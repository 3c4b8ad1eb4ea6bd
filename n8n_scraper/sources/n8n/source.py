"""What every command knows about n8n.io."""

from __future__ import annotations

from n8n_scraper.core.source import Ids, ItemAddress, Noun, Source
from n8n_scraper.sources.n8n.parts import Layer

_ID = "(?P<id>[1-9][0-9]{0,17})"

SOURCE = Source(
    name="n8n",
    place=0,
    spider="workflows",
    noun=Noun("template", "templates"),
    key="workflow_id",
    ids=Ids(r"[1-9][0-9]{0,17}", "numbers", "2462,1954"),
    parts=tuple(map(str, Layer)),
    bases=("N8N_SITE_URL", "N8N_API_URL"),
    inventory_requests=2,  # the index of sitemaps, and the one that it names
    settings={
        "N8N_SITE_URL": "https://n8n.io",
        "N8N_API_URL": "https://api.n8n.io",
        # `scrapy check` tries the callbacks on this template.
        "N8N_CONTRACT_ID": "1954",
    },
    home="n8n_scraper.sources.n8n.kind",
    stand_in="n8n_scraper.sources.n8n.replica.script",
    exports="n8n_scraper.sources.n8n.exports.of_templates",
    page="/workflows/{id}/",
    followed="views",
    addresses=(
        ItemAddress("N8N_SITE_URL", f"/workflows/{_ID}(?:-(?P<slug>[^/]+))?/?"),
        ItemAddress("N8N_API_URL", f"/api/templates/workflows/{_ID}/?"),
    ),
    pages="n8n_scraper.sources.n8n.serving",
    tools="n8n_scraper.sources.n8n.tools",
    contracts=(
        "n8n_scraper.sources.n8n.contracts.TemplateContract",
        "n8n_scraper.sources.n8n.contracts.SearchContract",
        "n8n_scraper.sources.n8n.contracts.InventoryContract",
        "n8n_scraper.sources.n8n.contracts.NextContract",
        "n8n_scraper.sources.n8n.contracts.WholeTemplateContract",
    ),
)

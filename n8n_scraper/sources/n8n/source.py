"""What every command knows about n8n.io."""

from __future__ import annotations

from n8n_scraper.core.source import Noun, Source
from n8n_scraper.sources.n8n.parts import Layer

SOURCE = Source(
    name="n8n",
    spider="workflows",
    noun=Noun("template", "templates"),
    key="workflow_id",
    parts=tuple(map(str, Layer)),
    bases=("N8N_SITE_URL", "N8N_API_URL"),
    settings={
        "N8N_SITE_URL": "https://n8n.io",
        "N8N_API_URL": "https://api.n8n.io",
        # `scrapy check` tries the callbacks on this template.
        "N8N_CONTRACT_ID": "1954",
    },
    home="n8n_scraper.sources.n8n.kind",
    stand_in="n8n_scraper.sources.n8n.replica.script",
)

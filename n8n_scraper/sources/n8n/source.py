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
    home="n8n_scraper.sources.n8n.kind",
)

"""Quotations as a crawl would have made them; to be imported where the source is installed."""

import json
from typing import Any

from n8n_scraper.core.computing import compute
from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.source import Provenance
from n8n_scraper.sources import source_of
from tests import toy


def answer(**said: Any) -> Answer:
    """What the site says of a quotation."""
    words = {"title": "Of one", "words": "So it is said.", "tags": ["odd"]} | said
    return Answer("text", "http://x/q1.json", 200, json.dumps(words).encode(), "2026-01-01")


def quote(quote_id: str = "q1", day: int = 1, run_id: str = "run", **said: Any) -> Any:
    """The quotation that is made of such an answer, as it came on a day."""
    kind = source_of(toy.NAME).kind()
    dossier = Dossier(Planned(quote_id), started=0.0)
    kind.read(dossier, answer(**said))
    at = f"2026-11-{day:02}T00:00:00.000Z"
    made = kind.assemble(dossier, Provenance("http://x", run_id, at, 0.5))
    compute(kind.computed, made)
    return made

"""Turn the three files of the open data into events: one pure function for whoever has them."""

from __future__ import annotations

import time

from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.source import Provenance
from n8n_scraper.sources.hk_events.event import assemble, read
from n8n_scraper.sources.hk_events.item import PART, Event
from n8n_scraper.sources.hk_events.pieces import cut
from n8n_scraper.sources.hk_events.rules.computed import COMPUTED


def read_stock(events: bytes, dates: bytes, venues: bytes, provenance: Provenance) -> list[Event]:
    """Give every event; BadContent if one of the files is not whole."""
    found = []
    for piece in cut(events, dates, venues):
        dossier = Dossier(Planned(piece.event_id), started=time.monotonic())
        read(dossier, Answer(PART, provenance.site, 200, piece.body, provenance.scraped_at))
        event = assemble(dossier, provenance)
        for one in COMPUTED:
            one.compute(event)
        found.append(event)
    return found

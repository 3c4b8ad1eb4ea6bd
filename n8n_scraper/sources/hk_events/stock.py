"""Turn the three files of the open data into events: one pure function for whoever has them."""

from __future__ import annotations

from n8n_scraper.sources.hk_events.event import assemble
from n8n_scraper.sources.hk_events.files import read_dates, read_events, read_venues
from n8n_scraper.sources.hk_events.item import Event


def read_stock(events: bytes, dates: bytes, venues: bytes) -> list[Event]:
    """Give every event; BadContent if one of the files is not whole."""
    days, places = read_dates(dates), read_venues(venues)
    return [
        assemble(event_id, record, days.get(event_id), places)
        for event_id, record in read_events(events).items()
    ]

"""Events out of files, the way a crawl makes them."""

from n8n_scraper.core.source import Provenance
from n8n_scraper.sources.hk_events.invented import InventedEvents
from n8n_scraper.sources.hk_events.item import Event
from n8n_scraper.sources.hk_events.stock import read_stock

PROVENANCE = Provenance("https://events.example.org", "run-1", "2026-01-05T12:00:00.000Z", 0.5)


def events_of(events: bytes, dates: bytes, venues: bytes) -> dict[str, Event]:
    """Every event of the three files, by its id."""
    return {one.event_id: one for one in read_stock(events, dates, venues, PROVENANCE)}


def events_in(stock: InventedEvents) -> dict[str, Event]:
    """Every event of an invented stock."""
    return events_of(stock.events_file(), stock.dates_file(), stock.venues_file())

"""Events out of files, the way a crawl makes them."""

from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.source import Provenance
from n8n_scraper.sources.hk_events.event import assemble, read
from n8n_scraper.sources.hk_events.files import Record, elements, record_of
from n8n_scraper.sources.hk_events.invented import InventedEvents
from n8n_scraper.sources.hk_events.item import Event
from n8n_scraper.sources.hk_events.pieces import cut
from n8n_scraper.sources.hk_events.rules.computed import COMPUTED
from n8n_scraper.sources.hk_events.source import PART

PROVENANCE = Provenance("https://events.example.org", "run-1", "2026-01-05T12:00:00.000Z", 0.5)


def records_in(body: bytes) -> dict[str, Record]:
    """What the file of the events says of each, by its id."""
    return {one_id: record_of(one) for one_id, one in elements(body, "events", "event")}


def events_of(events: bytes, dates: bytes, venues: bytes) -> dict[str, Event]:
    """Every event of the three files, by its id."""
    pieces = cut(venues, dates, events)
    return {one.event_id: event_of(one.event_id, one.body) for one in pieces}


def event_of(event_id: str, body: bytes) -> Event:
    """The event that its pieces make."""
    dossier = Dossier(Planned(event_id), started=0.0)
    read(dossier, Answer(PART, PROVENANCE.site, 200, body, PROVENANCE.scraped_at))
    event = assemble(dossier, PROVENANCE)
    for one in COMPUTED:
        one.compute(event)
    return event


def events_in(stock: InventedEvents) -> dict[str, Event]:
    """Every event of an invented stock."""
    return events_of(stock.events_file(), stock.dates_file(), stock.venues_file())

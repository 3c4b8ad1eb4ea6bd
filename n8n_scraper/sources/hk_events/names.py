"""Say how an event is called, and what its titles say has become of it."""

from __future__ import annotations

from collections.abc import Mapping

from n8n_scraper.reading.states import state_in_title
from n8n_scraper.reading.values import Status
from n8n_scraper.reading.words import line
from n8n_scraper.sources.hk_events.item import EventStatus

_STATES = {
    Status.CANCELLED: EventStatus.CANCELLED,
    Status.POSTPONED: EventStatus.POSTPONED,
}


def title_of(record: Mapping[str, str]) -> str | None:
    """The English title of an event's record, else the Chinese one."""
    return line(record.get("titlee")) or line(record.get("titlec"))


def status(*titles: str | None) -> EventStatus:
    """What the titles say has become of the event; one of which they say nothing takes place."""
    state = state_in_title(*titles)
    return _STATES.get(state, EventStatus.ACTIVE) if state else EventStatus.ACTIVE

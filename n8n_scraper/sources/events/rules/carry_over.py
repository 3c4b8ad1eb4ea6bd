"""Take over what an event's own page has said before, where it could not be had this time."""

from __future__ import annotations

from contextlib import suppress

from pydantic import ValidationError

from n8n_scraper.core.computing import compute_again
from n8n_scraper.core.source import Record
from n8n_scraper.sources.events.item import SiteEvent
from n8n_scraper.sources.events.rules.computed import COMPUTED
from n8n_scraper.sources.events.rules.lost import was_lost
from n8n_scraper.sources.events.source import DETAIL


def carry_over(before: Record, event: SiteEvent) -> SiteEvent:
    """Give an event with what its older record has besides; if that is nothing, the very same."""
    state = event.parts.get(DETAIL)
    if state is None or not was_lost(state.status, state.category):
        return event
    whole = event.model_copy()
    for field, source in before["sources"].items():
        if source.startswith(f"{DETAIL} ") and getattr(event, field, 0) in (None, []):
            with suppress(ValidationError):  # an older version may have given it another shape
                whole.observe(field, _typed(field, before), source)
    if whole == event:
        return event
    compute_again(COMPUTED, whole, event)
    return whole


def _typed(field: str, before: Record) -> object:
    """Give an older value as an item has it."""
    return getattr(SiteEvent.model_validate(dict(before)), field)

"""What is done with the events of Hong Kong's open data."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from n8n_scraper.core.dossier import Dossier
from n8n_scraper.core.reopening import reopening
from n8n_scraper.core.source import Asking, ItemKind, Record, Rereading, Step
from n8n_scraper.core.typed_settings import Given
from n8n_scraper.sources.hk_events.event import assemble, read
from n8n_scraper.sources.hk_events.item import Event, broken_promises
from n8n_scraper.sources.hk_events.rules.change import AUTHORED
from n8n_scraper.sources.hk_events.rules.computed import COMPUTED
from n8n_scraper.sources.hk_events.rules.occasion import OCCASIONS
from n8n_scraper.sources.hk_events.searched import SEARCHED
from n8n_scraper.sources.hk_events.source import FILES, SOURCE

if TYPE_CHECKING:
    from sqlalchemy import Table


_KEPT = frozenset(
    (
        *("event_id", "url", "ticket_url", "languages", "categories", "status", "parts", "quality"),
        *("start", "end", "timezone", "all_day", "occurrences", "date_disagreement"),
        *("submitted_at", "venue"),
    )
)
"""What stays when secrets are taken out: all but the words of people."""


@cache
def _table() -> Table:
    from n8n_scraper.ledger.tables import table_of  # reading an item needs no database
    from n8n_scraper.sources.hk_events.tables import HkEventRow

    return table_of(HkEventRow)


def _row(event: Event) -> dict[str, Any]:
    return event.model_dump(mode="json")


def _carry_over(_before: Record, event: Event) -> Event:
    """Leave an event as it came: it comes whole, so that nothing older is missing in it."""
    return event


def _of_no_item(_settings: Given, _url: str) -> None:
    """Know no address of an event: all of them are in the same files."""


def _steps(settings: Given, _dossier: Dossier) -> dict[str, tuple[Step, ...]]:
    """Ask for the files, which bring every event."""
    [place] = SOURCE.places(settings)
    return {"full": tuple(Step(name, f"{place}/{name}") for name in FILES)}


KIND = ItemKind(
    item=Event,
    read=read,
    assemble=assemble,
    computed=COMPUTED,
    promises=broken_promises,
    table=_table,
    row=_row,
    authored=AUTHORED,
    carry_over=_carry_over,
    rereading=Rereading(reopening("event_id")),
    listed=("title",),
    occasions=OCCASIONS,
    asking=Asking(_of_no_item, _steps),
    searched=SEARCHED,
    kept=_KEPT,
)

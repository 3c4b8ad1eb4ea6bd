"""What is done with the events of Hong Kong's open data."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.item import PartState
from n8n_scraper.core.source import Asking, ItemKind, Provenance, Record, Rereading, Step
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


def _reopen(record: Record) -> tuple[Dossier, Provenance]:
    """Open the dossier of an event again, its one answer left out."""
    dossier = Dossier(Planned(record["event_id"], record["in_inventory"]), started=0.0)
    dossier.parts = {
        part: PartState.model_validate(state) for part, state in record["parts"].items()
    }
    names = ("run_id", "scraped_at", "processing_time")
    return dossier, Provenance(site="", **{name: record[name] for name in names})


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
    rereading=Rereading(_reopen),
    listed=("title",),
    occasions=OCCASIONS,
    asking=Asking(_of_no_item, _steps),
    searched=SEARCHED,
    kept=_KEPT,
)

"""What is done with the events of the sites."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from n8n_scraper.core.classified import Classification
from n8n_scraper.core.dossier import Dossier
from n8n_scraper.core.reopening import reopening
from n8n_scraper.core.source import Asking, Issues, ItemKind, Rereading, Step
from n8n_scraper.core.typed_settings import Given
from n8n_scraper.policies.announced.classify import LOOKED_AT, classify
from n8n_scraper.sources.events.event import assemble, read
from n8n_scraper.sources.events.ids import site_of
from n8n_scraper.sources.events.item import ISSUES, Issue, SiteEvent, broken_promises
from n8n_scraper.sources.events.rules.carry_over import carry_over
from n8n_scraper.sources.events.rules.change import AUTHORED
from n8n_scraper.sources.events.rules.computed import COMPUTED
from n8n_scraper.sources.events.rules.occasion import OCCASIONS
from n8n_scraper.sources.events.searched import SEARCHED
from n8n_scraper.sources.events.source import DETAIL, LIST

if TYPE_CHECKING:
    from sqlalchemy import Table


_KEPT = frozenset(
    (
        *("event_id", "site", "source_event_id", "url", "images", "status", "parts", "quality"),
        *("start", "end", "timezone", "all_day", "occurrences", "venue", "location", "currency"),
        *("price_min", "price_max", "is_free", "issues", "classification"),
    )
)
"""What stays when secrets are taken out: all but the words of people."""


@cache
def _table() -> Table:
    from n8n_scraper.ledger.tables import table_of  # reading an item needs no database
    from n8n_scraper.sources.events.tables import SiteEventRow

    return table_of(SiteEventRow)


def _row(event: SiteEvent) -> dict[str, Any]:
    return event.model_dump(mode="json")


def _of_no_item(_settings: Given, _url: str) -> None:
    """Know no event by its address: the lists of the sites say which there are."""


def _steps(settings: Given, dossier: Dossier) -> dict[str, tuple[Step, ...]]:
    """Ask for the list of its site, which says where an event has a page of its own."""
    from n8n_scraper.sources_file.sources_file_settings import sources_of

    entry = sources_of(settings).named(site_of(dossier.item_id))
    own = Step(DETAIL, None, "the list says whether the event has a page of its own, and where")
    return {"full": (Step(LIST, entry.address), own)}


def _in_words(issues: list[str] | None) -> list[str]:
    return [ISSUES[Issue(one)] for one in issues or ()]


KIND = ItemKind(
    item=SiteEvent,
    read=read,
    assemble=assemble,
    computed=COMPUTED,
    promises=broken_promises,
    table=_table,
    row=_row,
    authored=AUTHORED,
    carry_over=carry_over,
    rereading=Rereading(reopening("event_id")),
    listed=("title",),
    issues=Issues("issues", _in_words),
    asking=Asking(_of_no_item, _steps),
    searched=SEARCHED,
    occasions=OCCASIONS,
    classification=Classification(LOOKED_AT, classify),
    kept=_KEPT,
)

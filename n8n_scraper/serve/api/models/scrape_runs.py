"""The contract of scrape runs: what programs elsewhere send.

Both spellings are in use there for reasons and for the end of a run: all of them are taken.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, field

from n8n_scraper.reports.scrape_runs import (
    ItemStage,
    SortedBy,
)
from n8n_scraper.serve.api.models.shared import (
    UNSET,
    Id,
    Metadata,
    Moment,
    Name,
    Sent,
    Text,
    Unset,
    Url,
    Word,
)

MOST_ITEMS = 20_000
"""How many items one creation takes: so many are entered in less than a second."""

MOST_UPDATES = 100
"""How many items one update takes: no crawl waits for long until so many are noted."""

MOST_RUNS = 100
_FARTHEST = 1_000_000

Domain: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=300,
        pattern="^[^\\x00]*$",
        description="A host, with its port where that is not the usual one.",
        examples=["site.example"],
    ),
]
StageName: TypeAlias = Literal[
    "pending", "created", "processing", "completed", "finished", "failed"
]
FinalStatus: TypeAlias = Literal["finished", "completed"]


class NewItem(Sent):
    """An item that a run is to have."""

    url: Url


class NewScrapeRun(Sent):
    """A run that is wanted."""

    domain: Domain
    source: Annotated[
        Name | None,
        Meta(description="Where it comes from: manual, scheduled, or another word of yours."),
    ] = None
    metadata: Metadata | None = None
    items: Annotated[
        list[NewItem],
        Meta(
            max_length=MOST_ITEMS,
            description="Without any, a crawl finds out what there is, or the reports name them.",
        ),
    ] = field(default_factory=list)
    worked_by: Annotated[
        Literal["crawls", "orchestrator"],
        Meta(description="An orchestrator elsewhere alone may also work on a domain unknown here."),
    ] = field(default="crawls", name="workedBy")
    idempotency_key: Annotated[
        Name | None, Meta(description="The same as the header `Idempotency-Key`.")
    ] = field(default=None, name="idempotencyKey")


class CreationHeaders(Sent):
    """What may be said of a creation beside its body."""

    idempotency_key: Annotated[
        Annotated[str, Meta(min_length=1, max_length=200, pattern="^[!-~]+$")] | Unset,
        Meta(description="The same creation under the same key is one run."),
    ] = field(default=UNSET, name="Idempotency-Key")


class Changes(Sent):
    """What has become of an item: the first flag that is set counts, in this order.

    With no flag set the item is to be tried again.
    """

    done: bool | None = None
    failed: bool | None = None
    invalid: bool | None = None
    failed_reason: Text | None = field(default=None, name="failedReason")
    fail_reason: Text | None = field(default=None, name="failReason")


class UpdatedItem(Changes):
    """A report on an item, which is named by its address or by its id."""

    url: Url | None = None
    item: Annotated[Id | None, Meta(description="Its id, in the place of the address.")] = None
    changes: Annotated[
        Changes | None, Meta(description="The flags and the reason, where they stand here.")
    ] = None


class ItemUpdate(Sent):
    """Says what has become of an item."""

    update_item: UpdatedItem = field(name="updateItem")


class ItemUpdates(Sent):
    """Says what has become of several items."""

    update_items: Annotated[list[UpdatedItem], Meta(min_length=1, max_length=MOST_UPDATES)] = field(
        name="updateItems"
    )


class Finish(Sent):
    """Says that a run is over."""

    status: FinalStatus
    end_time: Moment | None = field(default=None, name="endTime")
    metadata: Metadata | None = None


class Finalize(Sent):
    """Says that a run is over, in the other words for it."""

    finalize: bool
    end_time: Moment | None = field(default=None, name="endTime")
    metadata: Metadata | None = None


class ScrapeRunQuery(Sent):
    """Which runs are wanted, and which page of them."""

    domain: Domain | Unset = UNSET
    status: StageName | Unset = UNSET
    start_time_after: Moment | Unset = field(default=UNSET, name="startTimeAfter")
    until: Annotated[
        Moment | Unset,
        Meta(description="None that began later: with it, pages stay as they are meanwhile."),
    ] = UNSET
    limit: Annotated[int, Meta(ge=1, le=MOST_RUNS)] = 50
    page: Annotated[int, Meta(ge=1, le=_FARTHEST)] | Unset = UNSET
    offset: Annotated[
        Annotated[int, Meta(ge=0, le=_FARTHEST)] | Unset,
        Meta(description="In the place of a page."),
    ] = UNSET
    sort_by: SortedBy = field(default=SortedBy.START_TIME, name="sortBy")
    sort_order: Literal["asc", "desc"] = field(default="desc", name="sortOrder")


class ScrapeRunItemsQuery(Sent):
    """Which items of a run are wanted with it."""

    items: Annotated[
        ItemStage | Unset,
        Meta(description="Those that are so far only; else all, the pending ones first."),
    ] = UNSET
    items_limit: Annotated[int, Meta(ge=0, le=10_000)] = field(default=1_000, name="itemsLimit")


class ScrapeRunPath(Sent):
    """Which run."""

    run: Annotated[Word, Meta(description="The run's id.")]

"""What is stored, to programs: sources, their items, and what has happened to those."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta

from n8n_scraper.serve.api.models.places import Place
from n8n_scraper.serve.api.models.shared import Answer, Moment, Number, Sent, Unset, Word

MOST_ITEMS = 200


class SourcePath(Sent):
    """Which source."""

    source: Annotated[Word, Meta(examples=["n8n"])]


class ItemPath(SourcePath):
    """Which item of which source."""

    item: Annotated[Word, Meta(description="The item's id.", examples=["1954"])]


class VersionPath(ItemPath):
    """Which version of an item."""

    version: Number


class PageQuery(Sent):
    """Which page of a list is wanted."""

    limit: Annotated[int, Meta(ge=1, le=MOST_ITEMS)] = 50
    after: Place | Unset = UNSET


class ItemsQuery(PageQuery):
    """Which items are wanted."""

    removed: Annotated[
        bool | Unset, Meta(description="Only those that the source has not any more, or has.")
    ] = UNSET


class ChangesQuery(PageQuery):
    """Which changes are wanted."""

    since: Moment | Unset = UNSET
    source: Word | Unset = UNSET
    kind: Annotated[
        Word | Unset, Meta(description="new, changed, renamed, removed or returned.")
    ] = UNSET


class SourceAnswer(Answer):
    """A source."""

    name: str
    spider: str
    noun: str
    nouns: str
    key: Annotated[str, Meta(description="The field of its items that tells them apart.")]
    places: Annotated[list[str], Meta(description="Where it is, by the settings.")]
    items: Annotated[str, Meta(description="Where its items are listed here.")]


class SourcesAnswer(Answer):
    """All sources."""

    data: list[SourceAnswer]


class FieldCoverage(Answer):
    """How many items have a value in a field that may be without one."""

    field: str
    present: int
    total: int


class SourceReportAnswer(Answer):
    """What the archive has of a source."""

    source: str
    items: int
    present: int
    removed: int
    outcomes: dict[str, int]
    newest: str | None
    oldest: str | None
    coverage: list[FieldCoverage]
    raw_answers: int
    raw_bytes: int
    versions: int
    events: int


class StoredItemAnswer(Answer):
    """An item in a list."""

    item_id: str
    title: str | None
    url: str | None
    outcome: str
    in_inventory: bool
    removed_at: str | None
    content_hash: str | None
    scraped_at: str
    run_id: str


class StoredItemsAnswer(Answer):
    """A page of items, by their ids."""

    data: list[StoredItemAnswer]
    next: Place | None


class ItemAnswer(Answer):
    """An item in full."""

    source: str
    item_id: str
    item: Annotated[dict[str, Any], Meta(description="Its fields, named as in feeds and exports.")]


class VersionAnswer(Answer):
    """What the authors of an item had written as of one moment, without the text itself."""

    number: int
    content_hash: str | None
    run_id: str
    seen_at: str


class VersionsAnswer(Answer):
    """The versions of an item, the oldest first."""

    data: list[VersionAnswer]


class ContentAnswer(Answer):
    """What the authors of an item had written as of a version."""

    source: str
    item_id: str
    version: int
    content: dict[str, Any]


class ChangeAnswer(Answer):
    """One thing that has happened to an item."""

    id: int
    source: str
    item_id: str
    title: str | None
    run_id: str
    at: str
    kind: str
    details: dict[str, Any]


class HistoryAnswer(Answer):
    """All that has happened to an item, the oldest first."""

    data: list[ChangeAnswer]


class ChangesAnswer(Answer):
    """A page of what has happened, the oldest first."""

    data: list[ChangeAnswer]
    next: Place | None


class ComparedAnswer(Answer):
    """Two values as they were told, and how much they are the same."""

    one: str
    other: str
    similarity: float


class EvidenceAnswer(Answer):
    """By what two announcements are of the same happening."""

    tier: Annotated[str, Meta(description="exact, fuzzy or address.")]
    title: ComparedAnswer
    days: Annotated[list[str], Meta(description="On which local day each begins.")]
    venue: ComparedAnswer | None
    address: Annotated[str | None, Meta(description="The page that both are about.")]
    minutes_apart: int | None


class AnnouncementAnswer(Answer):
    """An item as it announces what takes place."""

    source: str
    item_id: str
    title: str | None
    day: str | None
    venue: str | None
    url: str | None
    completeness: float
    removed_at: str | None


class MatchAnswer(Answer):
    """Another item that announces the same, and why."""

    announcement: AnnouncementAnswer
    evidence: EvidenceAnswer


class MatchesAnswer(Answer):
    """All that announce the same as an item, the strongest match first."""

    item: AnnouncementAnswer
    matched: list[MatchAnswer]
    happening: Annotated[
        list[list[str]],
        Meta(description="Source and id of each item of its group, the one to keep first."),
    ]


class SamplesAnswer(Answer):
    """What of an item is followed over time, the oldest first."""

    data: list[dict[str, Any]]

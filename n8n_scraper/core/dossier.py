"""Everything known about one item while its chain of requests is under way."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from n8n_scraper.core.outcomes import PartStatus

if TYPE_CHECKING:
    from n8n_scraper.core.item import PartState

_REMEMBERED_BYTES = 256 * 1024
"""Ten times a usual answer. A larger one would be held in memory twice for as long as its chain."""


@dataclass(frozen=True)
class Answer:
    """One answer of the site exactly as it came, for the record."""

    part: str
    url: str
    http_status: int
    body: bytes
    fetched_at: str

    @property
    def packed(self) -> bytes:
        """Its body as the archive keeps it; unless it is large, it is packed once for all."""
        return self._packed if len(self.body) <= _REMEMBERED_BYTES else self._pack()

    @cached_property
    def _packed(self) -> bytes:
        return self._pack()

    def _pack(self) -> bytes:
        from n8n_scraper.core.packing import pack  # a start has no use for it yet

        return pack(self.body)


@dataclass(frozen=True, slots=True)
class Planned:
    """An item that a run expects, and what the inventory of its source says about it."""

    item_id: str
    listed: bool = True
    listing: Mapping[str, Any] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()
    """Those that the inventory has brought along, where it has; the ledger keeps them."""
    url: str | None = None
    """As the program names it that has asked for it, where one has."""


@dataclass(frozen=True, slots=True)
class FoundBy:
    """What an item is found by, as it was stored at one time."""

    stored_as: tuple[str, ...]
    """What no two times that it was stored have in common."""
    entry: dict[str, Any] | None
    """Its row in the search, where items of its source are searched."""
    features: array[int] | None
    """What others are compared with, where items of its source are compared."""
    pictures: tuple[str, ...] = ()
    """Those that it shows: what may have been read in them is not in its entry."""


@dataclass(frozen=True, slots=True)
class Written:
    """An item as the database takes it: its row, its answers packed, and its first version."""

    row: dict[str, Any]
    """Its JSON written out."""
    answers: list[dict[str, Any]]
    content: bytes
    found_by: FoundBy


@dataclass(slots=True)
class Dossier:
    """The growing record of one item: the answers, what they say, how each part went.

    While its chain is under way the answers are kept as they came; a part that has one counts as
    ok until it is read, which is when the chain is through.
    """

    planned: Planned
    started: float
    answers: dict[str, Answer] = field(default_factory=dict)
    parts: dict[str, PartState] = field(default_factory=dict)
    read: dict[str, object] = field(default_factory=dict)
    """What the answers say, by part, each as its reader has typed it."""
    brought: object = None
    """What an earlier part has brought, where a later step depends on it, as the source types it;
    None as long as nobody has looked."""
    through: bool = False
    """Whether all parts are settled, and the item is made of them."""
    written: Written | None = None
    """The finished item as the database takes it, where it was written out already."""
    requests: int = 0
    kept: set[str] = field(default_factory=set)
    """The parts that the database knows of already."""
    unread: dict[str, Answer] = field(default_factory=dict)
    """Answers that were given up before anybody has read them, for whoever asks why."""
    strangers: set[str] = field(default_factory=set)
    """The parts whose answer spoke of another item."""

    @classmethod
    def opened(cls, planned: Planned, started: float) -> Self:
        """Open the dossier of an item, with the answers that its inventory has brought along."""
        dossier = cls(planned, started)
        for answer in planned.answers:
            dossier.take(answer)
        return dossier

    @property
    def item_id(self) -> str:
        """The id that every part of the dossier belongs to."""
        return self.planned.item_id

    @property
    def has_data(self) -> bool:
        """Whether anything could be had of the item."""
        return any(state.status is PartStatus.OK for state in self.parts.values())

    def take(self, answer: Answer) -> None:
        """Keep an answer as it came; its part counts as ok until it is read."""
        self.answers[answer.part] = answer
        self.settle(answer.part, PartStatus.OK, http_status=answer.http_status)

    def settle(
        self,
        part: str,
        status: PartStatus,
        reason: str | None = None,
        category: str | None = None,
        http_status: int | None = None,
    ) -> None:
        """Say how a part ended."""
        from n8n_scraper.core.item import PartState  # a start has no use for the items yet

        self.parts[part] = PartState(
            status=status, reason=reason, category=category, http_status=http_status
        )

    def reopen(self, categories: Collection[str]) -> None:
        """Forget that parts failed for these reasons, so that the chain asks for them again."""
        for part, state in list(self.parts.items()):
            if state.status is PartStatus.FAILED and state.category in categories:
                del self.parts[part]
                self.kept.discard(part)

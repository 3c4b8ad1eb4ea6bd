"""What every item has in common, of whatever source it is.

A field that was not observed is None, and `unobserved` gives the reason under the field's name.
`sources` tells, for each observed field, which answer it was read from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from n8n_scraper.core.outcomes import Outcome as Outcome
from n8n_scraper.core.outcomes import PartStatus as PartStatus


class Value(BaseModel):
    """A value inside an item: strict types, no unknown fields."""

    model_config = ConfigDict(extra="forbid", strict=True)


class PartState(Value):
    """How one part of an item ended, and why."""

    status: Annotated[PartStatus, Field(strict=False)]
    reason: str | None = None
    category: str | None = None
    http_status: int | None = None


OF_THE_CRAWL = frozenset(
    (
        *("outcome", "in_inventory", "removed_at", "unobserved", "sources"),
        *("content_hash", "run_id", "scraped_at", "processing_time"),
    )
)
"""The fields that say of every item how it was had."""


class Item(BaseModel):
    """One item of a source: a row, a feed line, an export record.

    Each kind of item has these fields among its own, where they suit it: their order is that of
    the columns of feeds and exports.
    """

    model_config = ConfigDict(extra="forbid", strict=True, validate_assignment=True)

    if TYPE_CHECKING:
        title: str | None
        outcome: Outcome
        in_inventory: bool
        removed_at: str | None
        unobserved: dict[str, str]
        sources: dict[str, str]
        content_hash: str | None
        run_id: str
        scraped_at: str
        processing_time: float

    def observe(self, field: str, value: object, source: str) -> None:
        """Fill a field, say where its value is from, and forget why it had none."""
        setattr(self, field, value)
        self.sources = {**self.sources, field: source}
        self.unobserved = {name: why for name, why in self.unobserved.items() if name != field}

    def leave_out(self, field: str, why: str) -> None:
        """Leave a field without a value, and say why."""
        setattr(self, field, None)
        self.sources = {name: where for name, where in self.sources.items() if name != field}
        self.unobserved = {**self.unobserved, field: why}

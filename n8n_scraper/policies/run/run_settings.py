"""Read what a run may do to an archive, and how much of it is under way at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from n8n_scraper.core.typed_settings import Given, TypedSettings, share, switch, whole


@dataclass(frozen=True, slots=True)
class RunSettings(TypedSettings):
    """How a run goes through its items."""

    items_under_way: int
    items_at_most: int | None
    """How many items one process takes of a run; None for as many as there are."""
    most_removed: float
    """The share of an archive that an inventory may lack and still be believed."""
    other_site: bool
    """Whether an archive may get items of another site than the one it is of."""

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `ITEMS_UNDER_WAY`, `ITEMS_AT_MOST`, `MOST_REMOVED` and `ALLOW_OTHER_SITE`."""
        return cls(
            items_under_way=whole(settings, "ITEMS_UNDER_WAY"),
            items_at_most=whole(settings, "ITEMS_AT_MOST", least=0) or None,
            most_removed=share(settings, "MOST_REMOVED"),
            other_site=switch(settings, "ALLOW_OTHER_SITE"),
        )

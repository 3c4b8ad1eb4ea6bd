"""Why two announcements are taken for the same happening."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Tier(StrEnum):
    """By what two announcements are the same, the surest first."""

    EXACT = "exact"
    FUZZY = "fuzzy"
    ADDRESS = "address"


@dataclass(frozen=True, slots=True)
class Compared:
    """Two values as they were told, and how much they are the same."""

    one: str
    other: str
    similarity: float
    """From 0 to 1."""

    def turned(self) -> Compared:
        """The same, seen from the other side."""
        return Compared(self.other, self.one, self.similarity)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything by which two announcements were compared."""

    tier: Tier
    title: Compared
    days: tuple[str, str]
    """On which local day each begins."""
    venue: Compared | None
    """None where one of them names none."""
    address: str | None
    """The page that both are about, without what leads to the same; None where they share none."""
    minutes_apart: int | None
    """Between their beginnings, where both are known."""

    def turned(self) -> Evidence:
        """The same, seen from the other side."""
        return Evidence(
            tier=self.tier,
            title=self.title.turned(),
            days=(self.days[1], self.days[0]),
            venue=self.venue.turned() if self.venue else None,
            address=self.address,
            minutes_apart=self.minutes_apart,
        )

    @property
    def strength(self) -> tuple[int, int, float, float]:
        """Sorts by how much there is to it, the strongest first."""
        tier = tuple(Tier).index(self.tier)
        apart = float("inf") if self.minutes_apart is None else self.minutes_apart
        return (tier, int(self.days[0] != self.days[1]), apart, -self.title.similarity)

    def as_json(self) -> dict[str, Any]:
        """The same as it is stored, and for machines."""
        return {**asdict(self), "tier": str(self.tier), "days": list(self.days)}


def evidence_of(stored: Mapping[str, Any]) -> Evidence:
    """Read evidence as it was stored."""
    venue, days = stored["venue"], stored["days"]
    return Evidence(
        tier=Tier(stored["tier"]),
        title=Compared(**stored["title"]),
        days=(days[0], days[1]),
        venue=Compared(**venue) if venue else None,
        address=stored["address"],
        minutes_apart=stored["minutes_apart"],
    )

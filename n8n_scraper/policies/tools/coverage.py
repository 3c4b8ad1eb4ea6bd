"""Measure how much of what a source must give has been had."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the required fields of how many items hold something."""

    items: int
    required: int
    filled: int
    by_field: Mapping[str, int]
    """In how many items each required field holds something."""

    @property
    def share(self) -> float:
        """From 0 to 1; nothing was covered where there is no item."""
        return self.filled / (self.items * self.required) if self.items and self.required else 0.0

    def share_of(self, field: str) -> float:
        """The same for one field."""
        return self.by_field[field] / self.items if self.items else 0.0


def coverage_of(records: Iterable[Mapping[str, Any]], required: Collection[str]) -> Coverage:
    """Count what holds something; blank text and empty lists hold nothing, zero and false do."""
    items, by_field = 0, dict.fromkeys(required, 0)
    for record in records:
        items += 1
        for field in by_field:
            by_field[field] += _holds_something(record.get(field))
    return Coverage(items, len(by_field), sum(by_field.values()), by_field)


def _holds_something(value: Any) -> bool:
    if isinstance(value, str):
        return bool(value.strip())
    return value is not None and value not in ([], {}, ())

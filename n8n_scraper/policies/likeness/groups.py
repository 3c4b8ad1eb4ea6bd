"""Groups of things that are alike, also by way of others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


class Groups:
    """Sets that grow together."""

    def __init__(self, size: int) -> None:
        self._above = list(range(size))

    def of(self, member: int) -> int:
        """Name the group of a member, by one of its members."""
        while self._above[member] != member:
            self._above[member] = self._above[self._above[member]]
            member = self._above[member]
        return member

    def join(self, one: int, other: int) -> None:
        """Make the groups of two members one; it goes by the smaller number."""
        low, high = sorted((self.of(one), self.of(other)))
        self._above[high] = low


def clusters(pairs: Iterable[tuple[T, T]]) -> list[list[T]]:
    """Give the groups that pairs make: whatever a chain of pairs joins is in one."""
    numbers: dict[T, int] = {}
    joined = [tuple(numbers.setdefault(one, len(numbers)) for one in pair) for pair in pairs]
    groups = Groups(len(numbers))
    for one, other in joined:
        groups.join(one, other)
    found: dict[int, list[T]] = {}
    for name, number in numbers.items():
        found.setdefault(groups.of(number), []).append(name)
    return list(found.values())

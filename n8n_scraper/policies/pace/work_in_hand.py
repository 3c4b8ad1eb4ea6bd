"""Decides whether an answer may be worked on now, by how many bytes are worked on already.

An item keeps its answers, and what was read out of them, until it is stored. Small ones never
wait here; of large ones only a few are in hand at a time.
"""

from __future__ import annotations


class WorkInHand:
    """Knows how many bytes of answers each item holds.

    The item that has held some for longest is always let through, whatever it brings, so that
    there is always one that can come to its end and make room for the others.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held: dict[str, int] = {}

    def has_room(self, key: str, size: int) -> bool:
        """Tell whether an item may have another answer of so many bytes."""
        oldest = next(iter(self._held), key)
        return key == oldest or sum(self._held.values()) + size <= self._most

    def take(self, key: str, size: int) -> None:
        """Note that an item has another answer."""
        self._held[key] = self._held.get(key, 0) + size

    def done(self, key: str) -> None:
        """Note that an item has ended, and holds nothing more."""
        self._held.pop(key, None)

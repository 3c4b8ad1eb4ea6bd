"""Reads a store's clock by our own, from what its answers say of it."""

from __future__ import annotations

from collections import deque
from statistics import median

_REMEMBERED = 16


class StoreClock:
    """Knows how far the store's clock is from ours, never so that something is done too early.

    An answer was given before it came, so by our clock its time was at the latest then; of several
    answers the quickest says it best. One that comes late moves nothing.
    """

    def __init__(self) -> None:
        self._offsets: deque[float] = deque(maxlen=_REMEMBERED)
        self._trips: deque[float] = deque([0.0], maxlen=_REMEMBERED)
        self._offset = 0.0

    def note(self, there: float, *, asked_at: float, heard_at: float) -> None:
        """Hear what time it was there when a question of ours was answered."""
        self._offsets.append(heard_at - there)
        self._trips.append(heard_at - asked_at)
        self._offset = min(self._offsets)

    def there(self, here: float) -> float:
        """Translate a moment of ours."""
        return here - self._offset

    @property
    def usual_trip(self) -> float:
        """The seconds that an answer takes to come."""
        return median(self._trips)

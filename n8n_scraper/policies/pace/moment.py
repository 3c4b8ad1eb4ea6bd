"""Measures the time left until a moment, so that a sleeper who wakes on time is on time."""

from __future__ import annotations

import math


def seconds_until(moment: float, now: float) -> float:
    """Give the seconds left, 0.0 when the moment has come.

    Who sleeps `seconds` wakes at `now + seconds`, which rounding can place a step before the
    moment. Such a step is no time left, or the sleeper would be sent back for nothing.
    """
    if moment <= now:
        return 0.0
    seconds = moment - now
    rounding = 4 * math.ulp(max(abs(now), abs(moment)))
    return seconds if seconds > rounding else 0.0

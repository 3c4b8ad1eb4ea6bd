"""What two things must have in common at the least to be alike, and where to look for it.

With the parts of all things in one order, whichever, two that are alike share several of their
first parts: so only things that do are compared in full, and no pair is missed.
"""

from __future__ import annotations

import math

from n8n_scraper.policies.likeness.features import Features, likeness

ALIKE = 0.8
"""From which measure on two items count as look-alikes."""
LEAST_PARTS = 6
"""How many parts an item must have to be compared at all: "webhook, then Slack" is everybody's."""
FIRST_SHARED = 3
"""How many of the first parts must be shared: with one, a tenth of all pairs would have to be
compared in full."""
_TINY = 1e-9


def least_shared(size: int, threshold: float) -> int:
    """Say how many of so many parts another must have to be alike."""
    return math.ceil(threshold * size - _TINY)


def number_of_first(size: int, threshold: float) -> int:
    """Say how many of the first parts are looked at."""
    return min(size, size - least_shared(size, threshold) + FIRST_SHARED)


def sizes_alike(size: int, threshold: float) -> tuple[int, int]:
    """Give the fewest and the most parts that something can have that is alike."""
    return least_shared(size, threshold), math.floor(size / threshold + _TINY)


def likeness_from(one: Features[int], other: Features[int], threshold: float) -> float | None:
    """Give the measure where it is the threshold or more; None below."""
    short, long = sorted((len(one), len(other)))
    if short < threshold * long - _TINY:
        return None
    measure = likeness(one, other)
    return measure if measure >= threshold - _TINY else None

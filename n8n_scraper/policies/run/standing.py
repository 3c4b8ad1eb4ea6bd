"""Tell whether a run is worked on, abandoned or over, from what the database knows."""

from __future__ import annotations

from enum import StrEnum


class Standing(StrEnum):
    """Whether a process works on a run."""

    LIVE = "live"
    STALE = "stale"  # no process said that it is over, and none gives a sign of life
    ENDED = "ended"


def standing_of(status: str, *, has_workers: bool) -> Standing:
    """Tell a run that is worked on from one whose processes are all gone or stopped."""
    if status != "running":
        return Standing.ENDED
    return Standing.LIVE if has_workers else Standing.STALE

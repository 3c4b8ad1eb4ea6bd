"""Tell whether a run is worked on, abandoned or over, from what the database knows."""

from __future__ import annotations

from enum import StrEnum


class Standing(StrEnum):
    """Whether a process works on a run."""

    LIVE = "live"
    STALE = "stale"  # no process said that it is over, and none gives a sign of life
    ENDED = "ended"


def standing_of(status: str, lease_left_seconds: float | None) -> Standing:
    """Tell a run that is worked on from one whose process is gone or stopped."""
    if status != "running":
        return Standing.ENDED
    alive = lease_left_seconds is not None and lease_left_seconds > 0
    return Standing.LIVE if alive else Standing.STALE

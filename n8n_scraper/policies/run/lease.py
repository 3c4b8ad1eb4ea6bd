"""Say for how long a process that gives no sign of life keeps its run."""

from __future__ import annotations

RENEWALS = 3
"""How often a lease is renewed in its time."""


def lease_seconds(longest_wait_seconds: float) -> float:
    """Give a lease that no process loses while it waits for its database.

    When a wait begins, up to a third of the lease is over; what is left is more than the wait.
    """
    return 2 * longest_wait_seconds

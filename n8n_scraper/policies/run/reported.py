"""Decide what becomes of an item when a program elsewhere reports on it.

The ledger's rule holds for it as for any worker: only what is pending can be taken, and what
another holds is that one's. Nothing is pending for ever: what failed is not, until it is said to be
tried again, and that is said so many times at most.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum


class Report(StrEnum):
    """What a program says of an item."""

    DONE = "done"
    FAILED = "failed"  # trying again may help
    INVALID = "invalid"  # it does not
    AGAIN = "again"  # it is to be tried again


class Effect(StrEnum):
    """What a report changes."""

    NOTHING = "nothing"  # it was said before
    CLOSE = "close"
    REOPEN_AND_CLOSE = "reopen and close"
    REOPEN = "reopen"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Decision:
    """What is done, and the reason where that is not what was wanted."""

    effect: Effect
    why: str = ""


_FOR_GOOD = frozenset({"done", "gone"})


def meaning_of(state: str) -> Report | None:
    """Say what a program is told of an item in this state; None while it has not ended."""
    if state == "blocked":  # this and the next only a crawl gives
        return Report.FAILED
    if state == "gone":
        return Report.INVALID
    return Report(state) if state in ("done", "failed", "invalid") else None


def report_of(flags: Collection[str]) -> Report:
    """Read the flags that are set, of which one holds at a time: done before failed, then invalid.

    With none of them set the item is to be tried again.
    """
    return next((one for one in Report if one in flags), Report.AGAIN)


def decide(state: str, report: Report, attempts: int, *, most_attempts: int) -> Decision:
    """Say what a report changes about an item in this state that was tried so often."""
    if state == "claimed":
        return Decision(Effect.REFUSED, "a crawl has it in hand, and says what becomes of it")
    if state == "pending":
        return Decision(Effect.NOTHING if report is Report.AGAIN else Effect.CLOSE)
    if meaning_of(state) is report:
        return Decision(Effect.NOTHING)
    if state in _FOR_GOOD:
        return Decision(Effect.REFUSED, f"it has ended for good, as {state}")
    if report is not Report.AGAIN:
        return Decision(Effect.REOPEN_AND_CLOSE)
    if attempts >= most_attempts:
        return Decision(Effect.REFUSED, f"it was tried {attempts} times, and that is all")
    return Decision(Effect.REOPEN)

"""Decide when a site is crawled again, by how its last crawls have ended.

The crawls are those that the ledger has: there is no second book that could say otherwise. What
has begun counts, however it ended, so the next time always comes later than the last one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from n8n_scraper.core.exit_status import ExitStatus

FAILURES_IN_A_ROW = 3
"""After so many a site rests."""
REST_SECONDS = 3600.0
"""How long it rests at first; then a crawl tries whether it does well again."""
GROWTH = 2.0
LONGEST_SECONDS = 86_400.0
"""No rest is longer, nor a pause between two crawls, where the site's own schedule is not."""


class Verdict(StrEnum):
    """What a crawl says of its site."""

    GOOD = "good"
    FAILED = "failed"
    NOTHING = "nothing"  # it was stopped, or our own side broke


@dataclass(frozen=True, slots=True)
class Past:
    """A crawl of a site that is over."""

    began: float
    ended: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Standing:
    """What follows from the last crawls of a site."""

    failures: int
    """How many have failed in a row."""
    due_at: float | None
    """When it is crawled again by the clock; None where it is only crawled on demand."""
    rests_until: float
    """Until then it is left alone; 0 where nothing speaks against it."""

    def is_due(self, now: float) -> bool:
        """Whether its time has come."""
        return self.due_at is not None and max(self.due_at, self.rests_until) <= now


_OURS = (ExitStatus.WORK_LEFT, ExitStatus.STORE_LOST, ExitStatus.WORKED_ON)
WELL = (ExitStatus.DONE, ExitStatus.FAILURES, ExitStatus.FEED_LOST)
"""With these a crawl has come to its end, and what it brought decides."""


def verdict_of(status: int | None, *, found: int, falls_short: bool) -> Verdict:
    """Judge a crawl by its exit status and by what it brought.

    What has no status was killed. That some items could not be had is no failure of the site, as
    long as it brought some.
    """
    if status is None or status in _OURS:
        return Verdict.NOTHING
    if status not in WELL or falls_short:
        return Verdict.FAILED
    return Verdict.GOOD if found or status != ExitStatus.FAILURES else Verdict.FAILED


def standing_of(pasts: Iterable[Past], every: float | None) -> Standing:
    """Say when a site is crawled again, by its crawls, the newest first."""
    known = list(pasts)
    failures = _in_a_row(known)
    return Standing(failures, _due_at(known, failures, every), _rests_until(known, failures))


def _in_a_row(pasts: Sequence[Past]) -> int:
    number = 0
    for past in pasts:
        if past.verdict is Verdict.GOOD:
            break
        number += past.verdict is Verdict.FAILED
    return number


def _due_at(pasts: Sequence[Past], failures: int, every: float | None) -> float | None:
    if every is None:
        return None
    if not pasts:
        return 0.0
    longest = max(every, LONGEST_SECONDS)
    return pasts[0].began + min(longest, every * GROWTH ** max(0, failures - 1))


def _rests_until(pasts: Sequence[Past], failures: int) -> float:
    if failures < FAILURES_IN_A_ROW:
        return 0.0
    newest = next(past for past in pasts if past.verdict is Verdict.FAILED)
    further = failures - FAILURES_IN_A_ROW
    return newest.ended + min(LONGEST_SECONDS, REST_SECONDS * GROWTH**further)

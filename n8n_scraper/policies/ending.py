"""Say how a crawl ended: its exit status, and in plain words what is missing and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum

from n8n_scraper.items import Outcome

SITE_DOWN = "site_down"
"""Reason for closing the spider when the site has not answered for too long."""

STORE_LOST = "store_lost"
"""Reason for closing the spider when the database cannot be used."""

TAKEN_OVER = "taken_over"
"""Reason for closing the spider when another process has taken up its run."""


class ExitStatus(IntEnum):
    """What `scrapy crawl` tells the shell; docs/reference/exit-status.md is this table in words."""

    DONE = 0
    BROKEN = 1  # an error of our own that nothing else explains
    BAD_INPUT = 2
    FAILURES = 3
    WORK_LEFT = 4
    SITE_DOWN = 5
    STORE_LOST = 6
    NO_INVENTORY = 7
    TAKEN_OVER = 8
    FEED_LOST = 9


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a crawl."""

    status: ExitStatus
    run_status: str
    lines: list[str]
    warning: str | None = None
    """What somebody should look at, however well it ended."""


def ending_of(
    reason: str,
    outcomes: Mapping[Outcome, int],
    *,
    unsettled: int = 0,
    left: int = 0,
    trouble: str | None = None,
    doubt: str | None = None,
    lost: bool = False,
) -> Ending:
    """Judge a crawl by what it was to do and what came of it, worst cause first.

    `unsettled` counts templates that ended, but not for good; `left` those that did not end.
    `trouble` says why the list of templates is not whole, `doubt` what of it was not believed.
    """
    status = _status(reason, unsettled, left, trouble, lost)
    total = sum(outcomes.values()) + left
    counts = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.items() if number)
    lines = [f"{sum(outcomes.values())} of {total} templates ended: {counts or 'none'}."]
    lines += [words_of(status, unsettled, left, trouble)]
    return Ending(status, _run_status(status, left), lines, doubt)


def spoilt(ending: Ending, *, feed_lost: bool, asking_broke_off: bool) -> Ending:
    """Judge a crawl that was well again by what is known only when all has ended."""
    if ending.status is not ExitStatus.DONE or not (feed_lost or asking_broke_off):
        return ending
    if asking_broke_off:
        words = "Asking for transcripts broke off; `scrapy transcripts` goes on with them."
        return replace(ending, status=ExitStatus.BROKEN, lines=[ending.lines[0], words])
    lines = [ending.lines[0], words_of(ExitStatus.FEED_LOST)]
    return replace(ending, status=ExitStatus.FEED_LOST, lines=lines)


def _status(reason: str, unsettled: int, left: int, trouble: str | None, lost: bool) -> ExitStatus:
    if reason == TAKEN_OVER:
        return ExitStatus.TAKEN_OVER
    if lost or reason == STORE_LOST:
        return ExitStatus.STORE_LOST
    if reason == SITE_DOWN:
        return ExitStatus.SITE_DOWN
    if trouble:
        return ExitStatus.NO_INVENTORY
    if reason not in ("finished", "shutdown"):
        return ExitStatus.BROKEN
    if left or reason == "shutdown":
        return ExitStatus.WORK_LEFT
    return ExitStatus.FAILURES if unsettled else ExitStatus.DONE


def _run_status(status: ExitStatus, left: int) -> str:
    if status is ExitStatus.NO_INVENTORY:
        return "failed"
    unfinished = left or status is ExitStatus.BROKEN or status >= ExitStatus.WORK_LEFT
    return "stopped" if unfinished else "finished"


def words_of(
    status: ExitStatus, unsettled: int = 0, left: int = 0, trouble: str | None = None
) -> str:
    """Say in words what a status means and what to do about it."""
    again = "Run the same command again"
    return {
        ExitStatus.DONE: "Everything that was expected is accounted for.",
        ExitStatus.BROKEN: f"The crawl broke off with {left} left. {again}, and report the error.",
        ExitStatus.BAD_INPUT: "",
        ExitStatus.FAILURES: f"{unsettled} could not be had in full. {again} to try again.",
        ExitStatus.WORK_LEFT: f"Stopped with {left} left. {again} to go on.",
        ExitStatus.SITE_DOWN: f"The site does not answer; {left} left. {again} later to go on.",
        ExitStatus.STORE_LOST: f"The database was lost; {left} left. Put it right. {again}.",
        ExitStatus.FEED_LOST: "A feed could not be written; the database has everything.",
        ExitStatus.TAKEN_OVER: "Another process goes on with this run; this one has stopped.",
        ExitStatus.NO_INVENTORY: trouble or "",
    }[status]

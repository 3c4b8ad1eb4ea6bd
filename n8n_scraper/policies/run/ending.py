"""Say how a crawl ended: its exit status, and in plain words what is missing and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.core.source import ITEMS, Noun
from n8n_scraper.policies.run.going_on import GoingOn

SITE_DOWN = "site_down"
"""Reason for closing the spider when the site has not answered for too long."""

STORE_LOST = "store_lost"
"""Reason for closing the spider when the database cannot be used."""

TAKEN_OVER = "taken_over"
"""Reason for closing the spider when another process has taken up its run."""


_MEANINGS: dict[int, str] = {
    ExitStatus.DONE: "everything that was expected is accounted for",
    ExitStatus.BROKEN: "it broke off",
    ExitStatus.BAD_INPUT: "an argument made no sense to the site",
    ExitStatus.FAILURES: "some {items} could not be had in full",
    ExitStatus.WORK_LEFT: "it was stopped with work left",
    ExitStatus.SITE_DOWN: "the site did not answer",
    ExitStatus.STORE_LOST: "the database was lost",
    ExitStatus.NO_INVENTORY: "the list of {items} was not whole",
    ExitStatus.TAKEN_OVER: "another process had taken it over",
    ExitStatus.FEED_LOST: "a feed could not be written; the database has everything",
}


def meaning_of(status: int | None, noun: Noun = ITEMS) -> str | None:
    """Say in a few words why a run ended with this exit status; None for one that nobody knows."""
    words = None if status is None else _MEANINGS.get(status)
    return words and words.format(items=noun.many)


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a crawl."""

    status: ExitStatus
    run_status: str
    lines: list[str]
    warnings: tuple[str, ...] = ()
    """What somebody should look at, however well it ended."""


def ending_of(
    reason: str,
    outcomes: Mapping[Outcome, int],
    going_on: GoingOn,
    *,
    unsettled: int = 0,
    left: int = 0,
    trouble: str | None = None,
    refusal: str | None = None,
    doubt: str | None = None,
    lost: bool = False,
    not_in_feeds: int = 0,
) -> Ending:
    """Judge a crawl by what it was to do and what came of it, worst cause first.

    `unsettled` counts items that ended, but not for good; `left` those that did not end.
    `trouble` says why the list of items is not whole, `doubt` what of it was not believed;
    `refusal` what of the arguments makes no sense to the site.
    `not_in_feeds` counts what earlier processes of the run have stored.
    """
    status = _status(reason, unsettled, left, trouble, refusal, lost)
    total = sum(outcomes.values()) + left
    counts = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.items() if number)
    items = going_on.noun.many
    lines = [f"{sum(outcomes.values())} of {total} {items} ended: {counts or 'none'}."]
    begun = going_on if total else replace(going_on, run_id=None)  # else there is nothing yet
    lines += [_words_of(status, begun, unsettled, left, trouble or refusal)]
    warnings = [doubt, _words_of_feeds(not_in_feeds, going_on)]
    return Ending(status, _run_status(status, left), lines, tuple(filter(None, warnings)))


def spoilt(ending: Ending, going_on: GoingOn, *, feed_lost: bool, asking_broke_off: bool) -> Ending:
    """Judge a crawl that was well again by what is known only when all has ended."""
    if ending.status is not ExitStatus.DONE or not (feed_lost or asking_broke_off):
        return ending
    if asking_broke_off:
        status, what = ExitStatus.BROKEN, "Asking for transcripts broke off"
    else:
        status, what = ExitStatus.FEED_LOST, "A feed could not be written; the database has it"
    words = f"{what}. {_sentence(after_a_finish(status, going_on))}"
    return replace(ending, status=status, lines=[ending.lines[0], words])


def after_a_finish(status: int | None, going_on: GoingOn) -> str:
    """Say what to do about a run that is finished, by the exit status that it ended with."""
    match status:
        case ExitStatus.FAILURES:
            return going_on.with_what_failed()
        case ExitStatus.FEED_LOST:
            return going_on.with_the_feed()
        case ExitStatus.BROKEN:
            return going_on.with_the_transcripts()
        case _:
            return going_on.anew()


def _status(
    reason: str,
    unsettled: int,
    left: int,
    trouble: str | None,
    refusal: str | None,
    lost: bool,
) -> ExitStatus:
    if reason == TAKEN_OVER:
        return ExitStatus.TAKEN_OVER
    if lost or reason == STORE_LOST:
        return ExitStatus.STORE_LOST
    if reason == SITE_DOWN:
        return ExitStatus.SITE_DOWN
    if trouble or refusal:
        return ExitStatus.NO_INVENTORY if trouble else ExitStatus.BAD_INPUT
    if reason not in ("finished", "shutdown"):
        return ExitStatus.BROKEN
    if left or reason == "shutdown":
        return ExitStatus.WORK_LEFT
    return ExitStatus.FAILURES if unsettled else ExitStatus.DONE


def _run_status(status: ExitStatus, left: int) -> str:
    if status in (ExitStatus.NO_INVENTORY, ExitStatus.BAD_INPUT):
        return "failed"
    unfinished = left or status is ExitStatus.BROKEN or status >= ExitStatus.WORK_LEFT
    return "stopped" if unfinished else "finished"


def _words_of(
    status: ExitStatus, going_on: GoingOn, unsettled: int, left: int, why: str | None
) -> str:
    """Say in words what a status means and what to do about it."""
    go_on = _sentence(going_on.with_what_is_left())
    lost = f"The database was lost; {left} left" if going_on.run_id else "Nothing was begun"
    return {
        ExitStatus.DONE: f"{_sentence(_MEANINGS[ExitStatus.DONE])}.",
        ExitStatus.BROKEN: f"The crawl broke off with {left} left; the log says why. {go_on}",
        ExitStatus.FAILURES: f"{unsettled} could not be had in full. "
        + _sentence(going_on.with_what_failed()),
        ExitStatus.WORK_LEFT: f"Stopped with {left} left. {go_on}",
        ExitStatus.SITE_DOWN: f"The site does not answer now; {left} left. {go_on}",
        ExitStatus.STORE_LOST: f"{lost}. Put the database right. {go_on}",
        ExitStatus.TAKEN_OVER: "Another process goes on with this run; this one has stopped.",
        ExitStatus.NO_INVENTORY: f"{why} {go_on}",
        ExitStatus.BAD_INPUT: why or "",
    }[status]


def _words_of_feeds(missing: int, going_on: GoingOn) -> str:
    if not missing:
        return ""
    return (
        f"The feed lacks {going_on.noun.so_many(missing)} that ended before this process began; "
        f"{going_on.with_the_feed()}"
    )


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]

"""Say how a crawl ended: its exit status, and in plain words what is missing and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.core.source import ITEMS, Noun
from n8n_scraper.policies.run.going_on import GoingOn

SITE_DOWN = "site_down"
"""Reason for closing the spider when the site has not answered for too long."""

STORE_LOST = "store_lost"
"""Reason for closing the spider when the database cannot be used."""

WORKED_ON = "worked_on"
"""Reason for closing the spider when a process on another machine has its directory."""


_WORKERS = Noun("other worker", "other workers")

_MEANINGS: dict[int, str] = {
    ExitStatus.DONE: "everything that was expected is accounted for",
    ExitStatus.BROKEN: "it broke off",
    ExitStatus.BAD_INPUT: "an argument made no sense to the site",
    ExitStatus.FAILURES: "some {items} could not be had in full",
    ExitStatus.WORK_LEFT: "it was stopped with work left",
    ExitStatus.SITE_DOWN: "the site did not answer",
    ExitStatus.STORE_LOST: "the database was lost",
    ExitStatus.NO_INVENTORY: "the list of {items} was not whole",
    ExitStatus.WORKED_ON: "a process on another machine works on it",
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


@dataclass(frozen=True, slots=True)
class Account:
    """How a run stands when a worker leaves it: by its ledger, not by any process' memory."""

    outcomes: Mapping[Outcome, int] = field(default_factory=dict)
    unsettled: int = 0
    """How many items have ended, but not for good."""
    left: int = 0
    """How many have not ended."""
    is_over: bool = False
    """Whether no item is left, and none will be planned any more."""
    inventory_error: str | None = None
    """Why the inventory is not whole."""
    inventory_refusal: str | None = None
    """What of the arguments makes no sense to the site."""
    inventory_warning: str | None = None
    """What of the inventory was not believed."""
    others: int = 0
    """How many other workers are still at work."""
    feed_lost: bool = False
    asking_broke_off: bool = False
    """Whether an error of our own has ended the asking for transcripts."""

    @property
    def done(self) -> int:
        """How many items have ended."""
        return sum(self.outcomes.values())


def ending_of(
    reason: str,
    account: Account,
    going_on: GoingOn,
    *,
    lost: bool = False,
    not_in_feeds: int = 0,
) -> Ending:
    """Tell how a run stands that a process leaves, worst cause first.

    `reason` is why its spider was closed. `not_in_feeds` counts what others of the run have stored.
    """
    status = exit_status(reason, account, lost=lost)
    total = account.done + account.left
    counts = ", ".join(f"{number} {one}" for one, number in account.outcomes.items() if number)
    lines = [f"{account.done} of {total} {going_on.noun.many} ended: {counts or 'none'}."]
    begun = going_on if total else replace(going_on, run_id=None)  # else there is nothing yet
    lines += [_words_of(status, begun, account)]
    warnings = [account.inventory_warning, _words_of_feeds(not_in_feeds, going_on)]
    return Ending(status, run_status(reason, account), lines, tuple(filter(None, warnings)))


def exit_status(reason: str, account: Account, *, lost: bool = False) -> ExitStatus:
    """Give the status that a process deserves: that of its run, if the run is over."""
    if reason == WORKED_ON:
        return ExitStatus.WORKED_ON
    if lost or reason == STORE_LOST:
        return ExitStatus.STORE_LOST
    if reason == SITE_DOWN and not account.is_over:
        return ExitStatus.SITE_DOWN
    if account.inventory_error or account.inventory_refusal:
        return ExitStatus.NO_INVENTORY if account.inventory_error else ExitStatus.BAD_INPUT
    if not account.is_over:
        stopped = reason in ("finished", "shutdown")
        return ExitStatus.WORK_LEFT if stopped else ExitStatus.BROKEN
    if account.unsettled:
        return ExitStatus.FAILURES
    if account.asking_broke_off:
        return ExitStatus.BROKEN
    return ExitStatus.FEED_LOST if account.feed_lost else ExitStatus.DONE


def run_status(reason: str, account: Account) -> str:
    """Say how a run stands that a process has left: it goes on as long as another works on it."""
    if account.is_over:
        failed = account.inventory_error or account.inventory_refusal
        return "failed" if failed else "finished"
    if account.others:
        return "running"
    status = exit_status(reason, account)
    return "failed" if status in (ExitStatus.NO_INVENTORY, ExitStatus.BAD_INPUT) else "stopped"


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


def _words_of(status: ExitStatus, going_on: GoingOn, account: Account) -> str:
    """Say in words what a status means and what to do about it."""
    go_on = _sentence(going_on.with_what_is_left())
    after = _sentence(after_a_finish(status, going_on))
    left, others = account.left, _others(account)
    lost = f"The database was lost; {left} left" if going_on.run_id else "Nothing was begun"
    broke_off = f"The crawl broke off with {left} left; the log says why.{others} {go_on}"
    if account.is_over:
        broke_off = f"Asking for transcripts broke off. {after}"
    return {
        ExitStatus.DONE: f"{_sentence(_MEANINGS[ExitStatus.DONE])}.",
        ExitStatus.BROKEN: broke_off,
        ExitStatus.FAILURES: f"{account.unsettled} could not be had in full. {after}",
        ExitStatus.WORK_LEFT: f"Stopped with {left} left.{others} {go_on}",
        ExitStatus.SITE_DOWN: f"The site does not answer now; {left} left. {go_on}",
        ExitStatus.STORE_LOST: f"{lost}. Put the database right. {go_on}",
        ExitStatus.WORKED_ON: "Another process goes on with this run; this one has stopped.",
        ExitStatus.NO_INVENTORY: f"{account.inventory_error} {go_on}",
        ExitStatus.BAD_INPUT: account.inventory_refusal or "",
        ExitStatus.FEED_LOST: f"A feed could not be written; the database has it. {after}",
    }[status]


def _others(account: Account) -> str:
    """Say that the run goes on, if it does."""
    if not account.others:
        return ""
    return f" {_WORKERS.so_many(account.others)} still at work on it."


def _words_of_feeds(missing: int, going_on: GoingOn) -> str:
    if not missing:
        return ""
    return (
        f"The feed lacks {going_on.noun.so_many(missing)} that ended in other processes; "
        f"{going_on.with_the_feed()}"
    )


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]

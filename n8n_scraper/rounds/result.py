"""Give the exit status of a round."""

from __future__ import annotations

from collections.abc import Iterable

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.rounds.site_crawl import Came, Outcome

_ALWAYS = {
    Came.GOOD: ExitStatus.DONE,
    Came.LEFT_OUT: ExitStatus.DONE,
    Came.STOPPED: ExitStatus.WORK_LEFT,
    Came.RESTS: ExitStatus.SITE_DOWN,
    Came.REFUSED: ExitStatus.BAD_INPUT,
}


def status_of_round(outcomes: Iterable[Outcome], *, was_ended: bool) -> ExitStatus:
    """Give 0 where all is well, and where all that is not has one cause, the status of that."""
    found = {_status_of(one) for one in outcomes} - {ExitStatus.DONE}
    if was_ended:
        return ExitStatus.WORK_LEFT
    if ExitStatus.STORE_LOST in found:
        return ExitStatus.STORE_LOST
    if len(found) > 1:
        return ExitStatus.FAILURES
    return next(iter(found), ExitStatus.DONE)


def _status_of(outcome: Outcome) -> ExitStatus:
    if outcome.came in _ALWAYS:
        return _ALWAYS[outcome.came]
    try:
        status = ExitStatus(outcome.status or ExitStatus.FAILURES)
    except ValueError:  # it was killed
        return ExitStatus.BROKEN
    return status

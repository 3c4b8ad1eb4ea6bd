"""Say how a crawl without an archive ended: its exit status, and the reason if it is not 0."""

from __future__ import annotations

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.policies.run.ending import SITE_DOWN, Ending


def plain_ending(
    reason: str,
    *,
    errors: int = 0,
    feed_lost: bool = False,
    can_go_on: bool = False,
    replaces: str = "",
) -> Ending:
    """Judge by the reason for which Scrapy closed the spider, worst cause first.

    `errors` counts what raised and what could not be had; `can_go_on` tells of a JOBDIR,
    `replaces` names a feed that the same command begins anew.
    """
    again = "Run the same command again to go on."
    if replaces:
        again += f" It begins {replaces} anew, without what is in it now: put that aside before."
    nothing = "It had no JOBDIR, so nothing goes on with it."
    if reason == SITE_DOWN:
        then = again.replace("again", "again later", 1) if can_go_on else nothing
        return _stopped(ExitStatus.SITE_DOWN, f"The site does not answer. {then}")
    if reason == "shutdown":
        return _stopped(ExitStatus.WORK_LEFT, f"Stopped. {again if can_go_on else nothing}")
    if reason != "finished":
        return _stopped(ExitStatus.BROKEN, f"The spider was closed before its end: {reason}.")
    if errors:
        number = "one error" if errors == 1 else f"{errors} errors"
        words = f"The spider finished, but not all is well: see the log for {number}."
        return Ending(ExitStatus.FAILURES, "finished", [words])
    if feed_lost:
        words = "The spider finished, but a feed could not be written: see the log."
        return Ending(ExitStatus.FEED_LOST, "finished", [words])
    return Ending(ExitStatus.DONE, "finished", ["The spider finished."])


def _stopped(status: ExitStatus, words: str) -> Ending:
    return Ending(status, "stopped", [words])

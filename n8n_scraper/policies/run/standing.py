"""Say how a run stands, from what the database knows: alive, abandoned or over, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from n8n_scraper.policies.run.command_line import with_database
from n8n_scraper.policies.run.ending import ExitStatus, after_a_finish
from n8n_scraper.policies.run.going_on import GoingOn
from n8n_scraper.policies.run.progress import (
    BucketLevel,
    LeftAlone,
    counts,
    duration,
    share,
    success_percent,
    time_left,
)

_MEANINGS = {
    ExitStatus.DONE: "everything that was expected is accounted for",
    ExitStatus.BROKEN: "it broke off",
    ExitStatus.BAD_INPUT: "an argument made no sense to the site",
    ExitStatus.FAILURES: "some templates could not be had in full",
    ExitStatus.WORK_LEFT: "it was stopped with work left",
    ExitStatus.SITE_DOWN: "the site did not answer",
    ExitStatus.STORE_LOST: "the database was lost",
    ExitStatus.NO_INVENTORY: "the list of templates was not whole",
    ExitStatus.TAKEN_OVER: "another process had taken it over",
    ExitStatus.FEED_LOST: "a feed could not be written; the database has everything",
}


class Standing(StrEnum):
    """Whether somebody works on a run."""

    LIVE = "live"
    STALE = "stale"  # nobody said that it is over, and nobody gives a sign of life
    ENDED = "ended"


def standing_of(status: str, lease_left_seconds: float | None) -> Standing:
    """Tell a run that is worked on from one whose process is gone or stopped."""
    if status != "running":
        return Standing.ENDED
    alive = lease_left_seconds is not None and lease_left_seconds > 0
    return Standing.LIVE if alive else Standing.STALE


@dataclass(frozen=True, slots=True)
class RunStands:
    """Where a run stands at one moment."""

    run_id: str
    spider: str
    source: str
    arguments: Mapping[str, Any]
    jobdir: str | None
    command: str
    """The crawl command of its newest process."""
    status: str
    standing: Standing
    owner: str | None
    started_at: str
    ended_at: str | None
    end_reason: str | None
    exit_status: int | None
    outcomes: Mapping[str, int]
    unsettled: int
    """How many have ended, but not for good."""
    left: int
    elapsed_seconds: float
    templates_per_second: float | None = None
    seconds_left: float | None = None
    still_planning: bool = False
    bucket: BucketLevel | None = None
    left_alone: tuple[LeftAlone, ...] = field(default=())

    @property
    def done(self) -> int:
        """How many templates have ended."""
        return sum(self.outcomes.values())

    @property
    def total(self) -> int:
        """How many templates the run expects, as far as it knows."""
        return self.done + self.left

    @property
    def can_go_on(self) -> bool:
        """Whether the same command goes on with this very run."""
        over = self.standing is Standing.LIVE or self.status == "finished"
        return not over and self.exit_status != ExitStatus.BAD_INPUT and self.jobdir is not None

    @property
    def going_on(self) -> GoingOn:
        """What can be typed to go on with it; where it never had a template, to begin it."""
        return GoingOn(
            self.run_id if self.total else None, self.command, self.arguments, self.jobdir
        )

    def asked_in(self, database: str | None) -> RunStands:
        """The same run with a command for the database that was asked, a copy perhaps."""
        return replace(self, command=with_database(self.command, database))

    def heading(self) -> str:
        """Name the run, and say whether somebody works on it."""
        return f"run {self.run_id} · {self._state()} · {self.source}"

    def lines(self) -> list[str]:
        """Everything that a person wants to know, the most telling first."""
        facts = [self.heading(), self._progress(), self._speed()]
        if self.standing is Standing.LIVE:
            facts.append(self._pace())
        facts.append(self._next())
        return [fact for fact in facts if fact]

    def as_json(self) -> dict[str, Any]:
        """The same for machines; the names of the keys stay as they are."""
        return {
            "run_id": self.run_id,
            "standing": str(self.standing),
            "status": self.status,
            "exit_status": self.exit_status,
            "meaning": self._meaning() or None,
            "spider": self.spider,
            "source": self.source,
            "arguments": dict(self.arguments),
            "jobdir": self.jobdir,
            "owner": self.owner,
            "started_at": self.started_at,
            "ended_at": self.ended_at,
            "end_reason": self.end_reason,
            "still_planning": self.still_planning,
            "total": self.total,
            "processed": self.done,
            "remaining": self.left,
            "outcomes": dict(self.outcomes),
            "unsettled": self.unsettled,
            "success_percent": self._success(),
            "elapsed_seconds": round(self.elapsed_seconds, 1),
            "templates_per_second": _rounded(self.templates_per_second, 3),
            "eta_seconds": _rounded(self.seconds_left, 1),
            "bucket": self._bucket(),
            "left_alone": [
                {"domain": o.domain, "seconds": round(o.seconds)} for o in self.left_alone
            ],
            "command": self.command,
            "can_go_on": self.can_go_on,
        }

    def _state(self) -> str:
        process = " ".join((self.owner or "unknown").split(":")[:2])
        if self.standing is Standing.LIVE:
            return f"live, process {process}"
        if self.standing is Standing.STALE:
            return f"stale: its process {process} is gone or stopped"
        status = "" if self.exit_status is None else f", exit status {self.exit_status}"
        meaning = self._meaning()
        return f"ended ({self.status}{status}{': ' if meaning else ''}{meaning})"

    def _meaning(self) -> str:
        if self.exit_status is None or self.exit_status not in set(ExitStatus):
            return ""
        return _MEANINGS.get(ExitStatus(self.exit_status), "")

    def _progress(self) -> str:
        words = f"{share(self.done, self.total)}: {counts(self.outcomes) or 'none ended yet'}"
        percent = self._success()
        words += "" if percent is None else f" · {percent:.1f} % successful"
        return words + (" · still reading the inventory" if self.still_planning else "")

    def _speed(self) -> str:
        parts = [f"{duration(self.elapsed_seconds)} so far"]
        if self.standing is not Standing.LIVE:
            span = f"{_short(self.started_at)} to {_short(self.ended_at) or '?'}"
            parts = [f"{span}, {duration(self.elapsed_seconds)}"]
        if self.templates_per_second:
            parts.insert(0, f"{60 * self.templates_per_second:.1f} templates a minute")
        parts.append(time_left(self.seconds_left))
        return " · ".join(filter(None, parts))

    def _pace(self) -> str:
        parts = [self.bucket.words()] if self.bucket else []
        return " · ".join(parts + [one.words() for one in self.left_alone])

    def _next(self) -> str:
        if self.standing is Standing.LIVE:
            return ""
        if self.exit_status == ExitStatus.BAD_INPUT:
            return ""
        if self.status == "finished":
            return after_a_finish(self.exit_status, self.going_on)
        return self.going_on.with_what_is_left()

    def _success(self) -> float | None:
        return round(success_percent(self.done, self.unsettled), 1) if self.done else None

    def _bucket(self) -> dict[str, Any] | None:
        if self.bucket is None:
            return None
        level = self.bucket
        return {
            "tokens": round(level.tokens, 2),
            "burst": level.burst,
            "rate": level.rate,
            "learned": level.learned,
        }


def _short(moment: str | None) -> str:
    """A moment without its milliseconds."""
    return f"{moment[:19]}Z" if moment else ""


def _rounded(number: float | None, digits: int) -> float | None:
    return None if number is None else round(number, digits)

"""Name the command that goes on with a crawl, and say so where none does."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from n8n_scraper.policies.command_line import HIDDEN, setting_in, with_setting

_NOTHING_GOES_ON = "it had no JOBDIR, so nothing goes on with it"
_EXPORT = ("--format", "jsonl", "--output", "templates.jsonl")


@dataclass(frozen=True, slots=True)
class GoingOn:
    """What can be typed after a crawl."""

    run_id: str | None
    """None when the crawl came to an end before its run was entered."""
    command: str
    arguments: Mapping[str, Any]
    jobdir: str | None

    @property
    def is_update(self) -> bool:
        """Whether the next call is a new one anyway, whatever became of this one."""
        return self.arguments.get("mode") == "update"

    def with_what_is_left(self) -> str:
        """Name the command for what has not ended."""
        if self.jobdir or self.run_id is None:
            return _said("to go on", self.command)
        return _said(
            f"{_NOTHING_GOES_ON}; a crawl that can be gone on with",
            with_setting(self.command, "JOBDIR", "state"),
        )

    def with_what_failed(self) -> str:
        """Name the command for what ended, but not well."""
        if "budget" in self.arguments:
            return _said("a later update tries them again", self.command)
        if self.jobdir:
            retry = self._beside("runs", "retry-failed", str(self.run_id))
            return _said("to try them again", f"{retry} && {self.command}")
        listing = self._beside("runs", "items", str(self.run_id), "--state", "failed")
        return _said(f"{_NOTHING_GOES_ON}; what to give as -a ids=… is told by", listing)

    def with_the_feed(self) -> str:
        """Name the command for a feed that does not hold the whole run."""
        return _said("to take all from the database", self._beside("export", *_EXPORT))

    def with_the_transcripts(self) -> str:
        """Name the command for videos that were not asked for."""
        return _said("to go on with the transcripts", self._beside("transcripts"))

    def anew(self) -> str:
        """Name the command for another crawl of the same."""
        return _said("a new run", self.command)

    def _beside(self, *words: str) -> str:
        """A command that asks the same database."""
        return shlex.join(["scrapy", *words, *setting_in(self.command, "DATABASE_URL")])


def _said(what: str, command: str) -> str:
    password = f" (write what belongs in place of {HIDDEN})" if HIDDEN in command else ""
    return f"{what}: {command}{password}"

"""Name the command that goes on with a crawl, and say so where none does."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from n8n_scraper.core.source import FOREIGN, ITEMS, Noun
from n8n_scraper.policies.run.command_line import HIDDEN, feeds_in, joining, setting_in

_EXPORT_FORMATS = {
    **dict.fromkeys(("jsonl", "jsonlines", "jl"), "jsonl"),
    **{name: name for name in ("json", "csv", "parquet")},
}
"""What `scrapy export` calls the format of a feed, where it has it."""
_FOR_AN_EXPORT = ("REDACT", "DATABASE_URL")
_BY_OTHERS = "the program that reports on it goes on with it"


@dataclass(frozen=True, slots=True)
class GoingOn:
    """What can be typed after a crawl."""

    run_id: str | None
    """None when the crawl came to an end before its run was entered."""
    command: str
    arguments: Mapping[str, Any]
    jobdir: str | None
    source: str = ""
    """The name of the source whose items it is about."""
    noun: Noun = ITEMS

    @property
    def is_update(self) -> bool:
        """Whether the next call is a new one anyway, whatever became of this one."""
        return self.arguments.get("mode") == "update"

    def with_what_is_left(self) -> str:
        """Name the command for what has not ended."""
        return _BY_OTHERS if self._is_foreign else _said("to go on", self._same_run)

    def with_what_failed(self) -> str:
        """Name the command for what ended, but not well."""
        if self._is_foreign:
            return _BY_OTHERS
        if "budget" in self.arguments:
            return _said("a later update tries them again", self.command)
        retry = self._beside("runs", "retry-failed", str(self.run_id))
        return _said("to try them again", f"{retry} && {self._same_run}")

    def with_the_feed(self) -> str:
        """Name the command for a feed that does not hold the whole run."""
        which = ("--source", self.source) if self.source else ()
        commands = [
            self._beside("export", *which, "--format", form, "--output", to, alike=_FOR_AN_EXPORT)
            for to, form in self._exports() or [(f"{self.noun.many}.jsonl", "jsonl")]
        ]
        return _said("to take all from the database", " && ".join(commands))

    def with_the_transcripts(self) -> str:
        """Name the command for videos that were not asked for."""
        return _said("to go on with the transcripts", self._beside("transcripts"))

    def anew(self) -> str:
        """Name the command for another crawl of the same."""
        return _BY_OTHERS if self._is_foreign else _said("a new run", self.command)

    @property
    def _is_foreign(self) -> bool:
        """Whether no crawl of ours could work on it."""
        return self.source == FOREIGN

    @property
    def _same_run(self) -> str:
        """The command that works on this very run: with a directory its own does."""
        if self.jobdir or self.run_id is None:
            return self.command
        return joining(self.command, self.run_id)

    def _exports(self) -> list[tuple[str, str]]:
        """The files of the crawl that an export can write, each with its format."""
        feeds = feeds_in(self.command)
        return [(to, _EXPORT_FORMATS[form]) for to, form in feeds if form in _EXPORT_FORMATS]

    def _beside(self, *words: str, alike: Iterable[str] = ("DATABASE_URL",)) -> str:
        """A command that asks the same database, and has more settings of the crawl where named."""
        settings = [word for name in alike for word in setting_in(self.command, name)]
        return shlex.join(["scrapy", *words, *settings])


def _said(what: str, command: str) -> str:
    password = f" (write what belongs in place of {HIDDEN})" if HIDDEN in command else ""
    return f"{what}: {command}{password}"

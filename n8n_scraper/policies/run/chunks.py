"""Decide how the work of a run is handed out: how many chunks, and whether one more.

A chunk is no list of items: it is a word that there is work on a run, for one process and at most
so many items. What is to be done stands in the ledger; so a chunk that comes twice, late or never
loses nothing and doubles nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import cycle

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.policies.run.counts import Counts

CHUNK_SIZE = "SCRAPING_CHUNK_SIZE"
"""The setting that says how many items a chunk has; with a run that was dispatched it is kept."""

MOST_AT_ONCE = "workers"
"""Beside it stands how many may be at work at once, where that was asked for."""

TOLD = "told"
"""Beside it stands what the crawls of a site are told by `-s`, where its entry says it."""

_MOST_FRUITLESS = 3
"""After so many chunks without an item more, handing out another one helps nobody."""

_TENTHS_LESS = (1, 2, 3, 0)
"""By how much chunks that begin together are shorter than a whole one. They share one pace: equal
ones would end together, and nobody would ask for anything while the next processes start."""


def most_at_once(asked: int | None, sessions: int | None) -> int | None:
    """Say how many may be at work at once; where each needs a session, no more than there are."""
    return min((most for most in (asked, sessions) if most is not None), default=None)


@dataclass(frozen=True, slots=True)
class RunState:
    """What of a run matters to what is handed out."""

    status: str
    exit_status: int | None
    is_planned: bool
    counts: Counts
    others: int
    """How many workers are at work on it."""

    def is_more_than_others_take(self, size: int) -> bool:
        """Whether more is left than those at work take in one chunk each, though they are some."""
        return bool(self.others) and self.counts.left > self.others * size

    @property
    def is_wanted(self) -> bool:
        """Whether more workers would bring more: it goes on, or was stopped with work left."""
        return self.status == "running" or (
            self.status == "stopped" and self.exit_status == ExitStatus.WORK_LEFT
        )


@dataclass(frozen=True, slots=True)
class Chunk:
    """The message: work on this run, for at most a chunk of items or until the soft limit."""

    run: str
    spider: str
    spreads: bool = False
    """Whether it hands out the others, as soon as it is known how many there are."""
    most_at_once: int | None = None
    fruitless: int = 0
    """How many before it, in a row, have brought nothing."""
    tenths_less: int = 0
    """By how much it is shorter than a whole one."""

    def items(self, size: int) -> int:
        """Say how many items it has at most, where a whole one has so many."""
        return size - size * self.tenths_less // 10

    def others(self, run: RunState, size: int) -> list[Chunk]:
        """Give the chunks to hand out beside this one."""
        if not (self.spreads and run.is_planned):
            return []
        left, found = run.counts.left - self.items(size), list[Chunk]()
        lengths = cycle(_TENTHS_LESS)
        while left > 0 and len(found) + 1 != self.most_at_once:
            found.append(replace(self, spreads=False, tenths_less=next(lengths)))
            left -= found[-1].items(size)
        return found

    def next(self, run: RunState, *, done_before: int, is_one_lost: bool = False) -> Chunk | None:
        """Give the chunk that goes on where this one ended; None where none is needed.

        Where others are at work, that is only to keep the number that was asked for, or to make up
        for one that got lost.
        """
        if not run.is_wanted:
            return None
        if run.others and self.most_at_once is None and not is_one_lost:
            return None
        fruitless = 0 if run.counts.done > done_before else self.fruitless + 1
        if fruitless >= _MOST_FRUITLESS:
            return None
        return replace(self, spreads=not run.is_planned, fruitless=fruitless)

"""Choose the tool for a source: the cheapest that brings what is required, by what they brought.

A page that one tool reads badly is asked for with the next one; a tool that has done well three
times goes first from then on. What has been cheaper is tried again from time to time: sites change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from n8n_scraper.policies.tools.coverage import Coverage

T = TypeVar("T")

ENOUGH = 0.70
"""With less than this share of the required fields the next tool is asked."""
WELL = 0.95
"""A tool that reaches this share so many times in a row goes first."""
TIMES_IN_A_ROW = 3
KEPT_ATTEMPTS = 10
"""So many of a source and tool are remembered."""
AGAIN_AFTER = 86_400.0
"""So many seconds after its last attempt a cheaper tool gets another one."""


class Tool(StrEnum):
    """By what a page is fetched, the cheapest first."""

    HTTP = "http"
    FIRECRAWL = "firecrawl"
    DEVTOOLS = "devtools"
    PLAYWRIGHT = "playwright"

    @property
    def rank(self) -> int:
        """How dear it is among them."""
        return list(Tool).index(self)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a tool brought of a source once."""

    tool: Tool
    at: float
    """When, in seconds since 1970."""
    coverage: float | None
    """The share of the required fields, from 0 to 1; None where it brought no answer."""
    seconds: float
    cost: float
    """In the unit of the tool's own price; 0 for what runs here."""
    items: int = 0
    """How many it brought."""

    @property
    def did_well(self) -> bool:
        """Whether it speaks for the tool."""
        return self.coverage is not None and self.coverage >= WELL


def in_order(tools: Iterable[Tool], attempts: Iterable[Attempt], now: float) -> tuple[Tool, ...]:
    """Say in which order the tools of a source are asked.

    The cheapest that did well lately goes first, then those that are dearer, and last those that
    are cheaper and have been found wanting. Without one that did well the cheapest begins.
    """
    by_cost, known = sorted(set(tools), key=lambda tool: tool.rank), list(attempts)
    by_tool = {tool: _lately(tool, known) for tool in by_cost}
    first = next((tool for tool in by_cost if _does_well(by_tool[tool])), None)
    if first is None:
        return tuple(by_cost)
    cheaper = [tool for tool in by_cost if tool.rank < first.rank]
    due = [tool for tool in cheaper if _is_due(by_tool[tool], now)]
    dearer = [tool for tool in by_cost if tool.rank > first.rank]
    return (*due, first, *dearer, *(tool for tool in cheaper if tool not in due))


def _lately(tool: Tool, attempts: Sequence[Attempt]) -> list[Attempt]:
    """The last attempts of a tool, the newest first."""
    own = [attempt for attempt in attempts if attempt.tool is tool]
    return sorted(own, key=lambda attempt: attempt.at, reverse=True)[:KEPT_ATTEMPTS]


def _does_well(attempts: Sequence[Attempt]) -> bool:
    lately = attempts[:TIMES_IN_A_ROW]
    return len(lately) == TIMES_IN_A_ROW and all(attempt.did_well for attempt in lately)


def _is_due(attempts: Sequence[Attempt], now: float) -> bool:
    return not attempts or now - attempts[0].at >= AGAIN_AFTER


def after(tool: Tool, order: Sequence[Tool], coverage: Coverage | None) -> Tool | None:
    """Name the tool to ask after one that brought this; None where it is enough, or the last."""
    if coverage is not None and coverage.share >= ENOUGH:
        return None
    later = order[order.index(tool) + 1 :]
    return later[0] if later else None


def better(one: tuple[Coverage, T], other: tuple[Coverage, T] | None) -> tuple[Coverage, T]:
    """Keep the better of two results.

    Below what is enough, the fuller items are better, however many there are: a menu read as a
    hundred events is none. From there on, more that holds something is better.
    """
    if other is None:
        return one
    return one if _worth(one[0]) > _worth(other[0]) else other


def _worth(coverage: Coverage) -> tuple[float, int]:
    return min(coverage.share, ENOUGH), coverage.filled

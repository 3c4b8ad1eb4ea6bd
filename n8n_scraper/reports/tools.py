"""What each tool has brought of a source lately, and what that has cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.tables import ToolAttemptRow
from n8n_scraper.ledger.tool_attempts import name_of_attempts
from n8n_scraper.policies.tools.ladder import Attempt, Tool


@dataclass(frozen=True, slots=True)
class ToolReport:
    """The last attempts of a tool for a source, summed up."""

    tool: str
    attempts: int
    answered: int
    """How many of them brought an answer."""
    items: int
    coverage: float | None
    """The share of the required fields that they brought on the average; None without an answer."""
    seconds: float
    """How long one takes on the average."""
    cost: float
    """Of all of them, in the unit of the tool's own price."""
    place: str | None = None
    """Which of the many places of its source it was tried on, where that has many."""

    @property
    def seconds_an_item(self) -> float | None:
        """How long it has worked for an item; None where it brought none."""
        return self.seconds * self.attempts / self.items if self.items else None

    @property
    def cost_an_item(self) -> float | None:
        """What an item has cost; None where it brought none."""
        return self.cost / self.items if self.items else None

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        return {
            "tool": self.tool,
            "place": self.place,
            "attempts": self.attempts,
            "answered": self.answered,
            "items": self.items,
            "coverage": self.coverage,
            "seconds": self.seconds,
            "seconds_an_item": self.seconds_an_item,
            "cost": self.cost,
            "cost_an_item": self.cost_an_item,
        }


def attempts_of(session: Session, source: str) -> list[Attempt]:
    """Give what is remembered of a source, or under the name of one of its places; oldest first."""
    row = ToolAttemptRow
    found = session.scalars(select(row).where(row.source == source).order_by(row.at))
    return [
        Attempt(
            Tool(one.tool),
            datetime.fromisoformat(one.at).timestamp(),
            one.coverage,
            one.seconds,
            one.cost,
            one.items,
        )
        for one in found
    ]


def tool_reports(database: Database, source: str) -> list[ToolReport]:
    """Sum up the last attempts of each tool, the cheapest tool first."""
    return database.look(lambda session: tool_reports_in(session, source))


def tool_reports_in(session: Session, source: str) -> list[ToolReport]:
    """The same inside a transaction that sees more than that."""
    return [
        report
        for place in _places(session, source)
        for report in _reports(attempts_of(session, name_of_attempts(source, place)), place)
    ]


def _places(session: Session, source: str) -> list[str | None]:
    """Name the places of a source that tools were tried on; first the source as a whole."""
    row, before = ToolAttemptRow.source, name_of_attempts(source, "")
    found = select(row).where(row.startswith(before, autoescape=True)).distinct().order_by(row)
    return [None, *(one.removeprefix(before) for one in session.scalars(found))]


def _reports(attempts: Sequence[Attempt], place: str | None) -> Iterator[ToolReport]:
    for tool in Tool:
        if own := [one for one in attempts if one.tool is tool]:
            yield _summed_up(tool, own, place)


def _summed_up(tool: Tool, attempts: Sequence[Attempt], place: str | None) -> ToolReport:
    shares = [one.coverage for one in attempts if one.coverage is not None]
    return ToolReport(
        tool=str(tool),
        attempts=len(attempts),
        answered=len(shares),
        items=sum(one.items for one in attempts),
        coverage=fmean(shares) if shares else None,
        seconds=fmean(one.seconds for one in attempts),
        cost=sum(one.cost for one in attempts),
        place=place,
    )

"""How many items of a run ended in each minute, hour or day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from sqlalchemy import BigInteger, cast, func, select
from sqlalchemy.orm import Session

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.tables import RunMinuteRow

_OUTCOMES = sorted(map(str, Outcome))


class Per(IntEnum):
    """The span of time that is counted together, by how much of a moment's text names it."""

    DAY = len("2026-11-19")
    HOUR = len("2026-11-19T01")
    MINUTE = len("2026-11-19T01:07")


@dataclass(frozen=True, slots=True)
class Span:
    """What ended in one span of time."""

    begins: str
    outcomes: Mapping[str, int] = field(default_factory=dict)

    @property
    def done(self) -> int:
        """How many ended."""
        return sum(self.outcomes.values())


def throughput(
    database: Database, run_id: str, per: Per = Per.MINUTE, since: str | None = None
) -> list[Span]:
    """Give the spans in which items of a run ended, the oldest first; the others are left out.

    With `since` those are counted that begin then or later.
    """
    return database.look(lambda session: spans_of(session, run_id, per, since))


def spans_of(
    session: Session, run_id: str, per: Per = Per.MINUTE, since: str | None = None
) -> list[Span]:
    """Give them inside a transaction that sees more than that."""
    # Minutes come in the order of the table's key, and need not be sorted.
    whole = per is Per.MINUTE
    begins = RunMinuteRow.minute if whole else func.substr(RunMinuteRow.minute, 1, int(per))
    # A row a span: of a long run there are thousands of minutes, and each row costs more than its
    # numbers do.
    numbers = [
        cast(func.sum(RunMinuteRow.items).filter(RunMinuteRow.outcome == name), BigInteger)
        for name in _OUTCOMES
    ]
    query = select(begins, *numbers).where(RunMinuteRow.run_id == run_id, RunMinuteRow.minute != "")
    if since is not None:
        query = query.where(RunMinuteRow.minute >= since[: Per.MINUTE])
    found = []
    for start, *items in session.execute(query.group_by(begins).order_by(begins)):
        ended = {name: number for name, number in zip(_OUTCOMES, items, strict=True) if number}
        if ended:
            found.append(Span(_whole(start), ended))
    return found


def _whole(start: str) -> str:
    """Write the beginning of a span as a moment."""
    return start + "2026-01-01T00:00:00Z"[len(start) :]

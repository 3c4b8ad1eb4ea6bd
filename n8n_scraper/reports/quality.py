"""How good the items of a source are: the distribution of their scores, and the lowest of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import Column, func, select
from sqlalchemy.orm import Session

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database

_STEP = 5
_SPANS = 20
_LOWEST_SHOWN = 10
_ISSUES_SHOWN = 12
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Scored:
    """An item with its score."""

    item_id: str
    title: str | None
    score: float


@dataclass(frozen=True, slots=True)
class ScoreSpan:
    """How many items have a score in a span; its end belongs to it for the last one only."""

    begins: int
    ends: int
    items: int


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """How the scores of a source's items are spread."""

    scored: int
    unscored: int
    mean: float | None
    spans: tuple[ScoreSpan, ...]
    lowest: tuple[Scored, ...]


@dataclass(frozen=True, slots=True)
class IssueReport:
    """Something that is wrong with several items."""

    words: str
    items: int
    examples: tuple[str, ...]
    """The ids of a few of them."""


def issue_reports(
    database: Database, source: Source, *, most: int = _ISSUES_SHOWN
) -> tuple[IssueReport, ...]:
    """Count what is wrong with the items of a source, the commonest first; none where no item says.

    Reads one column of every item.
    """
    kind = source.kind()
    if kind.issues is None:
        return ()
    table, words = kind.table(), kind.issues.words
    query = select(table.c[source.key], table.c[kind.issues.found_in])

    def all_of_them(session: Session) -> tuple[IssueReport, ...]:
        examples: dict[str, list[str]] = {}
        numbers: Counter[str] = Counter()
        for item_id, value in session.execute(query.order_by(table.c[source.key])):
            for issue in dict.fromkeys(words(value)):
                numbers[issue] += 1
                if len(some := examples.setdefault(issue, [])) < _EXAMPLES:
                    some.append(item_id)
        return tuple(
            IssueReport(issue, number, tuple(examples[issue]))
            for issue, number in numbers.most_common(most)
        )

    return database.look(all_of_them)


def score_report(database: Database, source: Source, score: str) -> ScoreReport:
    """Spread the scores of a source, by the column that has them; walks along its index."""
    table = source.kind().table()
    column: Column[float] = table.c[score]

    def all_of_it(session: Session) -> ScoreReport:
        alike = select(column, func.count()).where(column.is_not(None)).group_by(column)
        spans: Counter[int] = Counter()
        for value, number in session.execute(alike):
            spans[min(_SPANS - 1, int(value // _STEP))] += number
        total, scored, mean = session.execute(
            select(func.count(), func.count(column), func.avg(column)).select_from(table)
        ).one()
        lowest = select(table.c[source.key], table.c.title, column).where(column.is_not(None))
        lowest = lowest.order_by(column, table.c[source.key]).limit(_LOWEST_SHOWN)
        return ScoreReport(
            scored=scored,
            unscored=total - scored,
            mean=mean,
            spans=tuple(
                ScoreSpan(number * _STEP, (number + 1) * _STEP, spans[number])
                for number in range(_SPANS)
            ),
            lowest=tuple(Scored(*row) for row in session.execute(lowest)),
        )

    return database.look(all_of_it)

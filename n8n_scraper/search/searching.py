"""Find items: which match is asked of the database, which of them are best is decided here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Row, RowMapping, TextClause, bindparam, select, text
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.statements import run
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.search.entry import facet_word, lines_of, source_word, text_of
from n8n_scraper.search.found import Found, Hit, Order, Question
from n8n_scraper.search.matching import MATCHING, Field, Match
from n8n_scraper.search.meaning import meaning_of
from n8n_scraper.search.query import read_query
from n8n_scraper.search.ranking import Candidate, ranked
from n8n_scraper.search.snippets import marked, snippet
from n8n_scraper.search.tables import SearchItemRow

MOST_AT_ONCE = 100
"""Items that one answer may have."""

FARTHEST = 10_000
"""Items that may be passed over."""

CANDIDATES = 80
"""So many are ranked; what comes behind them stands in the order of how much it is looked at."""

_ITEMS = table_of(SearchItemRow)
_ORDERS = {
    Order.RELEVANCE: "number DESC",
    Order.NEWEST: "created_at DESC NULLS LAST, number DESC",
    Order.VIEWS: "popularity DESC NULLS LAST, number DESC",
    Order.SCORE: "score DESC NULLS LAST, number DESC",
}
_AMONG = _ITEMS.c.number.in_(bindparam("numbers", expanding=True))
_CANDIDATES = select(
    *(_ITEMS.c.number, _ITEMS.c.title_words, _ITEMS.c.name_words, _ITEMS.c.body_words),
    _ITEMS.c.popularity,
).where(_AMONG)
_HITS = select(
    *(_ITEMS.c.number, _ITEMS.c.item_id, _ITEMS.c.title, _ITEMS.c.text, _ITEMS.c.labels),
    *(_ITEMS.c.created_at, _ITEMS.c.popularity, _ITEMS.c.score),
).where(_AMONG)


def find(database: Database, source: Source, question: Question) -> Found:
    """Find items of a source; raise BadInput for a filter or an amount that makes no sense."""
    check(source, question)
    return database.look(lambda session: find_in(session, source, question))


def find_in(session: Session, source: Source, question: Question) -> Found:
    """Find items in a transaction that reads."""
    return _Search(session, source, question).found()


def check(source: Source, question: Question) -> None:
    """Raise BadInput for what cannot be asked."""
    searched = source.kind().searched
    if searched is None:
        raise BadInput(f"{source.noun.many} of {source.name} are not searched.")
    for name in question.filters:
        if searched.facet(name) is None:
            raise BadInput(f"--{name} is nothing that {source.noun.many} have.")
    if not 1 <= question.limit <= MOST_AT_ONCE:
        raise BadInput(f"the limit is {question.limit}; write a number from 1 to {MOST_AT_ONCE}.")
    if not 0 <= question.offset <= FARTHEST:
        raise BadInput(f"the offset is {question.offset}; write a number up to {FARTHEST}.")


class _Search:
    """One search, from the words that were typed to what is shown."""

    def __init__(self, session: Session, source: Source, question: Question) -> None:
        self._session = session
        self._source = source
        self._question = question
        self._matching = MATCHING[session.get_bind().dialect.name]
        self._query = read_query(question.words)
        self._meaning = meaning_of(session, source, self._query)
        if self._matching.planned:  # only for what is asked of the index from here on
            run(session, _statement(self._matching.planned), {})

    def found(self) -> Found:
        """Find what matches, with fewer of the words where nothing has all of them."""
        match, total = self._match()
        numbers = self._page(match, total) if total else []
        return Found(
            total=total,
            hits=tuple(self._hits(numbers)),
            facets=self._facets(match) if self._question.with_facets else {},
            corrected=self._meaning.corrected,
            missing=match.missing,
        )

    def _match(self) -> tuple[Match, int]:
        words = tuple(one.stems for one in self._meaning.words)
        for missing in sorted({0, min(1, len(words) - 1), len(words) - 1} - {-1}):
            match = Match(
                words, self._query.phrases, self._query.without, self._wanted_facets(), missing
            )
            if total := self._total(match):
                return match, total
        return Match(words, self._query.phrases, self._query.without, self._wanted_facets()), 0

    def _wanted_facets(self) -> tuple[tuple[str, ...], ...]:
        searched = self._source.kind().searched
        assert searched is not None  # or nothing could have been asked
        wanted = [
            tuple(facet_word(self._source, facet, value) for value in values)
            for name, values in self._question.filters.items()
            if values and (facet := searched.facet(name))
        ]
        if self._meaning.has_others:
            wanted.append((source_word(self._source),))
        return tuple(wanted)

    def _asked(self, match: Match, *fields: tuple[Field, int]) -> tuple[str, dict[str, Any]]:
        fields = fields or ((Field.WHOLE, match.least),)
        asked = self._matching.numbers(match, *fields, every=source_word(self._source))
        return asked.sql, asked.values

    def _total(self, match: Match) -> int:
        sql, values = self._asked(match)
        ((total,),) = self._all(f"SELECT count(*) FROM ({sql}) AS found", values)  # noqa: S608 - ours
        return int(total)

    def _page(self, match: Match, total: int) -> list[int]:
        question = self._question
        end = question.offset + question.limit
        if question.order is not Order.RELEVANCE or not self._query.asks_for_something:
            return self._ordered(match, question.order, question.limit, question.offset)
        best = self._best(match, total)
        if len(best) < min(end, total):  # what is behind those that were ranked is asked for too
            known = set(best)
            behind = self._ordered(match, Order.RELEVANCE, end, 0)
            best += [number for number in behind if number not in known]
        return best[question.offset : end]

    def _ordered(self, match: Match, order: Order, limit: int, offset: int) -> list[int]:
        sql, values = self._asked(match)
        by = _ORDERS[order]
        if order is Order.RELEVANCE:
            asked = f"{sql} ORDER BY {by} LIMIT :most OFFSET :passed"
        else:
            asked = (
                f"SELECT number FROM search_items WHERE number IN ({sql}) "  # noqa: S608 - ours
                f"ORDER BY {by} LIMIT :most OFFSET :passed"
            )
        found = self._all(asked, {**values, "most": limit, "passed": offset})
        return [number for (number,) in found]

    def _best(self, match: Match, total: int) -> list[int]:
        """Rank the candidates: first what has the words in its title, then in its names."""
        numbers: dict[int, None] = {}
        for fields in _where_to_look(match) if total > CANDIDATES else ((),):
            sql, values = self._asked(match, *fields)
            asked = f"{sql} ORDER BY number DESC LIMIT :most"
            found = self._all(asked, {**values, "most": CANDIDATES})
            numbers.update(dict.fromkeys(number for (number,) in found))
            if len(numbers) >= CANDIDATES:
                break
        few = list(numbers)[:CANDIDATES]
        rows = map(tuple, run(self._session, _CANDIDATES, {"numbers": few}).all())
        return ranked([Candidate(*row) for row in rows], self._meaning.all_wanted)

    def _hits(self, numbers: Sequence[int]) -> Iterator[Hit]:
        found = run(self._session, _HITS, {"numbers": numbers}).mappings().all()
        rows = {row["number"]: row for row in found}
        stems = self._meaning.stems
        return (_hit(rows[number], stems) for number in numbers)

    def _facets(self, match: Match) -> dict[str, tuple[tuple[str, int], ...]]:
        sql, values = self._asked(match)
        asked = f"SELECT labels FROM search_items WHERE number IN ({sql})"  # noqa: S608 - ours
        counted: Counter[str] = Counter()
        for (labels,) in self._all(asked, values):
            counted.update(labels.split("\n"))
        found: dict[str, list[tuple[str, int]]] = {}
        for line, number in sorted(counted.items(), key=lambda one: (-one[1], one[0])):
            name, _, value = line.partition("\t")
            found.setdefault(name, []).append((value, number))
        return {name: tuple(values) for name, values in found.items()}

    def _all(self, sql: str, values: Mapping[str, Any]) -> Sequence[Row[Any]]:
        return run(self._session, _statement(sql), values).all()


@lru_cache(maxsize=256)
def _statement(sql: str) -> TextClause:
    """Read a statement once: there are but as many as there are kinds of questions."""
    return text(sql)


def _where_to_look(match: Match) -> list[tuple[tuple[Field, int], ...]]:
    """Say in which fields the words must stand, the most telling first."""
    if not match.words:
        return [((Field.WHOLE, 0),)]
    least = match.least
    return [
        ((Field.TITLE, least),),
        ((Field.NAMES, least),),
        ((Field.TITLE, 1), (Field.WHOLE, least)),
        ((Field.WHOLE, least),),
    ]


def _hit(row: RowMapping, stems: frozenset[str]) -> Hit:
    names, body = text_of(row["text"])
    return Hit(
        item_id=row["item_id"],
        title=marked(row["title"], stems),
        snippet=snippet(body or names, stems),
        created_at=row["created_at"],
        popularity=row["popularity"],
        score=row["score"],
        labels={name: tuple(some) for name, some in lines_of(row["labels"]).items()},
    )

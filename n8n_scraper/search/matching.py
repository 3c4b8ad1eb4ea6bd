"""Say in each database's own words which items match: nothing else of a search differs in them.

Both take an expression of words with *and*, *or* and *not*; what stands in a phrase is looked at in
the words as they are stored, sign by sign. So the same items match in both, and as all ranking is
done here, the same are found, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Any

Words = tuple[str, ...]


class Field(StrEnum):
    """Where in an item words are looked for."""

    TITLE = "title"
    NAMES = "names"
    """In its title or its names."""
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class Match:
    """What must stand in an item, and what must not."""

    words: tuple[Words, ...] = ()
    """Stems; of several in one place any will do."""
    phrases: tuple[Words, ...] = ()
    without: tuple[Words, ...] = ()
    facets: tuple[Words, ...] = ()
    """The words of the values of each facet, of which any will do."""
    missing: int = 0
    """How many of the words may be missing."""

    @property
    def least(self) -> int:
        """How many of the words must be there."""
        return max(1, len(self.words) - self.missing)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition in SQL, with its values."""

    sql: str
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Signs:
    """How a database writes an expression of words."""

    both: str
    either: str
    quote: str

    def word(self, word: str) -> str:
        """Write a word: it has no signs but letters and digits, and the line of a facet's."""
        return f"{self.quote}{word}{self.quote}"

    def any_of(self, parts: Iterable[str]) -> str:
        """Write that one of these must hold."""
        return f"({self.either.join(parts)})"

    def all_of(self, parts: Iterable[str]) -> str:
        """Write that all of these must hold."""
        return f"({self.both.join(parts)})"

    def so_many_of(self, words: Sequence[Words], least: int) -> str:
        """Write that so many of these must be there."""
        each = [self.any_of(map(self.word, some)) for some in words]
        if least == 1:
            return self.any_of(each)
        return self.any_of(self.all_of(some) for some in combinations(each, least))


_AND = " AND "


class SqliteMatching:
    """FTS5 over the words of `search_items`."""

    signs = Signs(" AND ", " OR ", '"')
    columns = {  # noqa: RUF012 - nobody changes it
        Field.TITLE: "{title_words} : ",
        Field.NAMES: "{title_words name_words} : ",
        Field.WHOLE: "",
    }
    matched = "SELECT rowid AS number FROM search_index WHERE search_index MATCH :match"
    planned = None

    def numbers(self, match: Match, *fields: tuple[Field, int], every: str) -> Condition:
        """Ask for the numbers of the items that match, so many of the words in each field."""
        signs = self.signs
        parts = [
            f"({self.columns[field]}{signs.so_many_of(match.words, least)})"
            for field, least in fields
            if match.words
        ]
        parts += [signs.any_of(map(signs.word, some)) for some in match.facets]
        parts += [signs.all_of(map(signs.word, phrase)) for phrase in match.phrases]
        whole = signs.all_of(parts or [signs.word(every)])
        for phrase in match.without:
            if len(phrase) == 1:
                whole = f"({whole} NOT {signs.word(phrase[0])})"
        looked_at = _phrases(match, "instr({text}, {phrase}) {found}")
        where = f" AND rowid IN (SELECT number FROM search_items WHERE {looked_at.sql})"  # noqa: S608
        sql = self.matched + (where if looked_at.sql else "")
        return Condition(sql, {"match": whole, **looked_at.values})


class PostgresMatching:
    """GIN over the same words."""

    signs = Signs(" & ", " | ", "'")
    columns = {  # noqa: RUF012 - nobody changes it
        Field.TITLE: "title_words",
        Field.NAMES: "title_words || ' ' || name_words",
        Field.WHOLE: "title_words || ' ' || name_words || ' ' || body_words || ' ' || facet_words",
    }
    # Only by way of the indexes: to cut the words of all rows anew takes seconds.
    planned = (
        "SELECT set_config('enable_seqscan', 'off', true), "
        "set_config('enable_indexscan', 'off', true), set_config('jit', 'off', true)"
    )

    def numbers(self, match: Match, *fields: tuple[Field, int], every: str) -> Condition:
        """Ask for the numbers of the items that match, so many of the words in each field."""
        signs = self.signs
        asked: dict[Field, list[str]] = {}
        for field, least in fields:
            if match.words:
                asked.setdefault(field, []).append(signs.so_many_of(match.words, least))
        whole = asked.setdefault(Field.WHOLE, [])
        whole += [signs.any_of(map(signs.word, some)) for some in match.facets]
        whole += [signs.all_of(map(signs.word, phrase)) for phrase in match.phrases]
        if not whole:
            whole.append(signs.word(every))
        whole += [f"!{signs.word(one[0])}" for one in match.without if len(one) == 1]
        looked_at = _phrases(match, "strpos({text}, {phrase}) {found}")
        wanted = [
            f"{_vector(self.columns[field])} @@ CAST(:in_{field} AS tsquery)" for field in asked
        ]
        sql = _AND.join(filter(None, (*wanted, looked_at.sql)))
        values = {f"in_{field}": signs.all_of(parts) for field, parts in asked.items()}
        return Condition(
            f"SELECT number FROM search_items WHERE {sql}",  # noqa: S608 - words are values
            {**values, **looked_at.values},
        )


def _vector(columns: str) -> str:
    return f"array_to_tsvector(array_remove(string_to_array({columns}, ' '), ''))"


def _phrases(match: Match, how: str) -> Condition:
    """Say that a phrase stands in one of the three texts, or in none of them."""
    texts = [f"(' ' || {name} || ' ')" for name in ("title_words", "name_words", "body_words")]
    parts, values = [], {}
    wanted = [(phrase, "> 0", " OR ") for phrase in match.phrases]
    unwanted = [(phrase, "= 0", _AND) for phrase in match.without if len(phrase) > 1]
    for place, (phrase, found, between) in enumerate((*wanted, *unwanted)):
        name = f"phrase_{place}"
        each = (how.format(text=text, phrase=f":{name}", found=found) for text in texts)
        parts.append(f"({between.join(each)})")
        values[name] = f" {' '.join(phrase)} "
    return Condition(_AND.join(parts), values)


MATCHING: dict[str, SqliteMatching | PostgresMatching] = {
    "sqlite": SqliteMatching(),
    "postgresql": PostgresMatching(),
}

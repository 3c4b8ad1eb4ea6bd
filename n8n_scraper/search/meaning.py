"""Say what the words of a query stand for, by the words that items have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.statements import run
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.search.entry import source_word
from n8n_scraper.search.query import Query
from n8n_scraper.search.ranking import Wanted, rarity
from n8n_scraper.search.tables import SearchItemRow, SearchWordRow
from n8n_scraper.search.typos import Vocabulary
from n8n_scraper.search.words import stem

_MOST_ENDINGS = 40
"""Words that a beginning stands for, the most frequent first."""

_LAST_SIGN = "\U0010ffff"
_WORDS, _ITEMS = table_of(SearchWordRow), table_of(SearchItemRow)
_OF_SOURCE = _WORDS.c.source == bindparam("of_source")
# Each by itself is the first and the last of an index; together they would be all of it.
_SOURCES = select(
    select(func.min(_ITEMS.c.source)).scalar_subquery(),
    select(func.max(_ITEMS.c.source)).scalar_subquery(),
)
_ITEMS_OF = (
    select(_WORDS.c.stem, func.max(_WORDS.c["items"]).label("most"))
    .where(_OF_SOURCE, _WORDS.c.stem.in_(bindparam("stems", expanding=True)))
    .group_by(_WORDS.c.stem)
)
_BEGINNING = (
    select(_WORDS.c.stem)
    .where(_OF_SOURCE, _WORDS.c.word >= bindparam("first"), _WORDS.c.word < bindparam("last"))
    .order_by(_WORDS.c["items"].desc(), _WORDS.c.word)
    .limit(_MOST_ENDINGS)
)
_VOCABULARY = select(_WORDS.c.word, _WORDS.c["items"]).where(_OF_SOURCE)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What is looked for."""

    words: tuple[Wanted, ...]
    """In the place of each word and each beginning."""
    in_phrases: tuple[Wanted, ...] = ()
    corrected: Mapping[str, str] = field(default_factory=dict)
    has_others: bool = False
    """Whether items of other sources are indexed too."""

    @property
    def all_wanted(self) -> tuple[Wanted, ...]:
        """Everything by which items are ranked."""
        return (*self.words, *self.in_phrases)

    @property
    def stems(self) -> frozenset[str]:
        """Everything that is marked where it stands."""
        return frozenset(stem for word in self.all_wanted for stem in word.stems)


def meaning_of(session: Session, source: Source, query: Query) -> Meaning:
    """Look up the words of a query; what no item has is taken for a slip."""
    of_source = {"of_source": source.name}
    first, last = session.execute(_SOURCES).one()
    words, every = dict.fromkeys(query.words), source_word(source)
    in_phrases = tuple(dict.fromkeys(one for phrase in query.phrases for one in phrase))
    known = _items_of(session, of_source, [every, *map(stem, words), *in_phrases])
    corrected = _corrected(session, of_source, [one for one in words if stem(one) not in known])
    meant = tuple(dict.fromkeys(stem(corrected.get(word, word)) for word in words))
    begun = [_begun(session, of_source, one) for one in query.beginnings]
    new = [*map(stem, corrected.values()), *(one for some in begun for one in some)]
    known |= _items_of(session, of_source, new)
    total = known.get(every, 0)

    def wanted(stems: tuple[str, ...]) -> Wanted:
        return Wanted(stems, rarity(min(total, sum(known.get(one, 0) for one in stems)), total))

    return Meaning(
        words=(*(wanted((one,)) for one in meant), *map(wanted, begun)),
        in_phrases=tuple(wanted((one,)) for one in in_phrases if one not in meant),
        corrected=corrected,
        has_others=bool({first, last} - {None, source.name}),
    )


def _items_of(session: Session, of_source: dict[str, Any], stems: list[str]) -> dict[str, int]:
    """Say how many items have each stem, by the most frequent of its words."""
    if not stems:
        return {}
    asked = of_source | {"stems": list(dict.fromkeys(stems))}
    return {row.stem: row.most for row in run(session, _ITEMS_OF, asked).all()}


def _begun(session: Session, of_source: dict[str, Any], beginning: str) -> tuple[str, ...]:
    """Give the stems of the words that begin so; the beginning itself where none does."""
    span = {"first": beginning, "last": beginning + _LAST_SIGN}
    stems = run(session, _BEGINNING, of_source | span).scalars()
    return tuple(dict.fromkeys(stems)) or (stem(beginning),)


def _corrected(session: Session, of_source: dict[str, Any], unknown: list[str]) -> dict[str, str]:
    if not unknown:
        return {}
    vocabulary = Vocabulary(tuple(row) for row in run(session, _VOCABULARY, of_source))
    return {word: meant for word in unknown if (meant := vocabulary.meant(word))}

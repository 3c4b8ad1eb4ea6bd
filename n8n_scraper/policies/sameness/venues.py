"""Say how much two venues are the same, by what they are called."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

from n8n_scraper.policies.sameness.places import (
    CITIES,
    PARTS_OF_CITIES,
    SPELLINGS,
    USUAL_WORDS,
    USUAL_WORDS_OF_HAN,
    VENUES,
)
from n8n_scraper.policies.sameness.words import plain

SAME_VENUE: Final = 0.6
"""From this similarity on two names may be of one venue."""

_USUAL_WEIGHS: Final = 0.3
"""How much a word that many venues have says, beside one that few have."""
_KEPT: Final = 20_000
_BETWEEN_PARTS = re.compile(r"[,，、;|/@()（）\[\]【】]|\s[-–—]\s|\bat\b", re.IGNORECASE)
_USUAL = frozenset((*USUAL_WORDS, *USUAL_WORDS_OF_HAN))
_USUAL_OF_HAN = re.compile(f"({'|'.join(USUAL_WORDS_OF_HAN)})")
_STANDS_FOR = {other: first for first, *others in VENUES for other in others}
_CITY_OF = {name: names[0] for names in CITIES for name in names}
_CITY_OF_ALL = {**PARTS_OF_CITIES, **_CITY_OF}


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    longer_first = sorted(names, key=len, reverse=True)
    return re.compile("|".join(rf"\b{one}\b" if one.isascii() else one for one in longer_first))


_CITY, _CITY_OR_PART = _any_of(_CITY_OF), _any_of(_CITY_OF_ALL)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a name is made of."""

    names: frozenset[tuple[str, ...]]
    """Words that stand side by side: Wan Chai is not Chai Wan."""
    usual: frozenset[str]
    """Words that many venues have."""

    @property
    def weight(self) -> float:
        """How much it says."""
        return sum(map(len, self.names)) + _USUAL_WEIGHS * len(self.usual)


@dataclass(frozen=True, slots=True)
class Venue:
    """The name of a venue, made ready to be compared."""

    as_told: str
    plain: str
    """Its usual name, where it has several."""
    city: str | None
    """The one that its name speaks of."""
    readings: tuple[Reading, ...]
    """The name as a whole, and each part of it that could be the name alone."""


@lru_cache(_KEPT)
def read_venue(text: str) -> Venue | None:
    """Make a name ready; None of one that has no words."""
    whole = _usual_name(text)
    if not whole:
        return None
    parts = [_reading(name) for part in _BETWEEN_PARTS.split(text) if (name := _usual_name(part))]
    telling = [one for one in parts if one.names]
    return Venue(text, whole, city_in(text), tuple(dict.fromkeys((_reading(whole), *telling))))


def similarity(one: Venue, other: Venue) -> float:
    """Say from 0 to 1 how much of what two names are made of is shared."""
    if one.plain == other.plain:
        return 1.0
    return _similarity(*sorted((one.as_told, other.as_told)))


@lru_cache(_KEPT)
def _similarity(name: str, other_name: str) -> float:
    one, other = read_venue(name), read_venue(other_name)
    assert one is not None, "only names that were read are compared"
    assert other is not None, "only names that were read are compared"
    pairs = ((ours, theirs) for ours in one.readings for theirs in other.readings)
    return max(_shared(ours, theirs) for ours, theirs in pairs)


def city_in(text: str) -> str | None:
    """Give the city that a text speaks of; None where it speaks of none, or of several."""
    found = {_CITY_OF_ALL[name] for name in _CITY_OR_PART.findall(plain(text))}
    return found.pop() if len(found) == 1 else None


def city_named(text: str) -> str | None:
    """Give the city that goes by a name: the one that we know, else the name itself."""
    return city_in(text) or plain(text) or None


def _usual_name(text: str) -> str:
    name = plain(text)
    return _STANDS_FOR.get(name, name)


def _reading(name: str) -> Reading:
    """Take a name apart, its city left out: every venue of that could have it."""
    apart = _USUAL_OF_HAN.sub(r" \1 ", _CITY.sub(" and ", name)).split()
    words = [SPELLINGS.get(one, one) for one in apart]
    runs = [(usual, tuple(run)) for usual, run in groupby(words, key=_USUAL.__contains__)]
    names = frozenset(run for usual, run in runs if not usual)
    return Reading(
        names, frozenset(one for usual, run in runs if usual for one in run if one != "and")
    )


def _shared(ours: Reading, theirs: Reading) -> float:
    both = ours.weight + theirs.weight
    if not both:
        return 0.0
    names = sum(_words_shared(one, other) for one in ours.names for other in theirs.names)
    weight = names + _USUAL_WEIGHS * len(ours.usual & theirs.usual)
    return 2 * min(weight, ours.weight, theirs.weight) / both


def _words_shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Count the words of the shorter, where all of it stands in the longer."""
    shorter, longer = sorted((one, other), key=len)
    starts = range(len(longer) - len(shorter) + 1)
    is_in = any(longer[start : start + len(shorter)] == shorter for start in starts)
    return len(shorter) if is_in else 0

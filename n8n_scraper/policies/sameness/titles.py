"""Say how much two titles are the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from n8n_scraper.policies.sameness.words import plain, scripts

SAME_TITLE: Final = 0.92
"""From this similarity on two titles may be of one happening."""
LIKE_TITLE: Final = 0.6
"""From this similarity on they may be, where they stand on the same page."""

_KEPT: Final = 50_000
# What has become of an event is said in brackets beside its name, and is no part of it.
_NOTES = "cancelled|canceled|postponed|rescheduled|sold out|取消|延期|改期|滿座|售罄"
_NOTE = re.compile(rf"[(\[（【]\s*(?:{_NOTES})\s*[)\]）】]", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_COUNTED_IN_HAN = re.compile("[一二三四五六七八九十]")
_ROMAN = re.compile(r"(?:x{0,2}(?:ix|iv|v?i{0,3}))")
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Title:
    """A title, made ready to be compared."""

    as_told: str
    plain: str
    sorted: str
    """Its words by the alphabet: some write the artist first, others the work."""
    numbers: frozenset[str]
    """What tells the parts of a series apart; a year does not."""
    scripts: frozenset[str]


@lru_cache(_KEPT)
def read_title(text: str) -> Title | None:
    """Make a title ready; None of one that has no words."""
    words = plain(_NOTE.sub(" ", text))
    if not words:
        return None
    apart = words.split()
    return Title(text, words, " ".join(sorted(apart)), _numbers(words, apart), scripts(words))


def similarity(one: Title, other: Title) -> float:
    """Say from 0 to 1 how much two titles are the same, in whatever order their words stand."""
    return max(
        Indel.normalized_similarity(one.plain, other.plain),
        Indel.normalized_similarity(one.sorted, other.sorted),
    )


def is_near(one: Title, other: Title) -> bool:
    """Whether two titles that stand on the same page may be of one happening."""
    fewer, more = sorted((one.numbers, other.numbers), key=len)
    if not fewer <= more:
        return False
    shared = fuzz.token_set_ratio(one.plain, other.plain) / 100
    return max(shared, similarity(one, other)) >= LIKE_TITLE


def _numbers(words: str, apart: list[str]) -> frozenset[str]:
    """Give the numbers in a title: digits, Roman ones, the letter at its end, and Chinese ones."""
    digits = (one.lstrip("0") or "0" for one in _DIGITS.findall(words) if not _YEAR.fullmatch(one))
    behind = apart[1:]
    roman = (one for one in behind if len(one) > 1 and _ROMAN.fullmatch(one))
    letter = (one for one in behind[-1:] if len(one) == 1 and one.isalpha())
    return frozenset((*digits, *roman, *letter, *_COUNTED_IN_HAN.findall(words)))

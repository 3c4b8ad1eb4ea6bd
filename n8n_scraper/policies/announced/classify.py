"""Say what a record announces: an event, an attraction, or nothing at all.

Every sign speaks for one of the three with a weight; the heaviest wins, and its share of all that
speaks is the confidence. What is doubtful is told so, and nothing is left out for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from n8n_scraper.core.classified import Announced, Classified
from n8n_scraper.policies.announced.labels import ALWAYS_THERE, LABELS
from n8n_scraper.policies.sameness.words import plain, scripts

Record = Mapping[str, Any]

LOOKED_AT: Final = (
    *("title", "start", "end", "all_day", "location", "price", "description", "schedule"),
    *("sources", "scraped_at"),
)
"""The fields that are looked at; one that a record does not have counts as not told."""

_SAYS_EVENT: Final = frozenset(("json-ld", "microdata", "icalendar"))
"""Places that say of each entry what it is: those of events alone are read."""
_HALF_A_YEAR, _A_YEAR, _TWO_YEARS = timedelta(days=183), timedelta(days=366), timedelta(days=731)


@dataclass(frozen=True, slots=True)
class Sign:
    """Something that speaks for one of the three."""

    kind: Announced
    weight: float
    reason: str


def classify(record: Record) -> Classified:
    """Say what a record announces; it is total."""
    signs = sorted(signs_of(record), key=lambda one: (-one.weight, one.reason))
    weights = {kind: sum(one.weight for one in signs if one.kind is kind) for kind in Announced}
    kind = max(Announced, key=lambda one: weights[one])  # the first of several, which is an event
    confidence = round(weights[kind] / sum(weights.values()), 4)
    return Classified(kind, confidence, tuple(f"{one.kind}: {one.reason}" for one in signs))


def signs_of(record: Record) -> Iterator[Sign]:
    """Give all that speaks for one of the three."""
    yield Sign(Announced.EVENT, 0.5, "it stands in a list of events")
    for signs in _ALL:
        yield from signs(record)


def _of_title(record: Record) -> Iterator[Sign]:
    title = plain(record.get("title") or "")
    if not title or not (scripts(title) or any(map(str.isalpha, title))):
        yield Sign(Announced.INVALID, 4.0, "its title has no words")
    if title in LABELS:
        yield Sign(Announced.INVALID, 4.0, "its title is that of a button or of an entry of a menu")


def _of_time(record: Record) -> Iterator[Sign]:
    start, end = _moment(record.get("start")), _moment(record.get("end"))
    if start is None:
        yield Sign(Announced.ATTRACTION, 1.0, "no day is known")
        return
    yield Sign(Announced.EVENT, 1.5, "its day is known")
    if record.get("all_day") is False:
        yield Sign(Announced.EVENT, 2.0, "it begins at a time of day")
    if end is not None and end - start > _A_YEAR:
        yield Sign(Announced.ATTRACTION, 3.0, "it lasts for more than a year")
    elif end is not None and end - start > _HALF_A_YEAR:
        yield Sign(Announced.ATTRACTION, 1.5, "it lasts for more than half a year")
    seen = _moment(record.get("scraped_at"))
    if seen is not None and start - seen > _TWO_YEARS:
        yield Sign(Announced.INVALID, 3.0, "it begins more than two years after it was seen")


def _of_words(record: Record) -> Iterator[Sign]:
    title, schedule = (plain(record.get(name) or "") for name in ("title", "schedule"))
    if _has_phrase(title) or _has_phrase(schedule):
        yield Sign(Announced.ATTRACTION, 3.0, "it is said to be there always")
    elif record.get("start") is None and any(map(str.isdigit, schedule)):
        yield Sign(Announced.EVENT, 1.0, "its words tell days that were not understood")


def _of_details(record: Record) -> Iterator[Sign]:
    has_place = bool(record.get("location") or record.get("venue"))
    if has_place:
        yield Sign(Announced.EVENT, 1.0, "its venue is known")
    if has_place and not record.get("start"):
        yield Sign(Announced.ATTRACTION, 1.0, "a place is known and no day")
    for name in ("price", "description"):
        if record.get(name):
            yield Sign(Announced.EVENT, 0.5, f"its {name} is told")
    if not has_place and not record.get("description"):
        weight = 0.5 if record.get("start") else 2.0
        yield Sign(Announced.INVALID, weight, "neither a place nor a description is told")


def _of_its_page(record: Record) -> Iterator[Sign]:
    places = {place for told in (record.get("sources") or {}).values() for place in told.split()}
    if named := sorted(places & _SAYS_EVENT):
        yield Sign(Announced.EVENT, 3.0, f"its page calls it an event ({', '.join(named)})")


_ALL: Final[tuple[Callable[[Record], Iterator[Sign]], ...]] = (
    _of_title,
    _of_time,
    _of_words,
    _of_details,
    _of_its_page,
)


def _has_phrase(words: str) -> bool:
    """Whether a phrase stands there as whole words; Chinese has no spaces between them."""
    return any(
        f" {phrase} " in f" {words} " if phrase.isascii() else phrase in words
        for phrase in ALWAYS_THERE
    )


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None

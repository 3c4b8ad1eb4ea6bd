"""Compare two occasions: say whether they are the same happening, and by what evidence.

What is not known never counts as equal, and what contradicts is stronger than what agrees: two
cities, two places far from each other, two times of one site.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from math import asin, cos, radians, sin, sqrt
from typing import Final, TypeVar

from n8n_scraper.core.occasion import Occasion
from n8n_scraper.policies.sameness import titles, venues
from n8n_scraper.policies.sameness.addresses import page_at
from n8n_scraper.policies.sameness.evidence import Compared, Evidence, Tier
from n8n_scraper.policies.sameness.titles import SAME_TITLE, Title, read_title
from n8n_scraper.policies.sameness.venues import SAME_VENUE, Venue, read_venue

DAYS_APART: Final = 1
"""Sites in two timezones, and those that announce the night before, differ by so many."""
KILOMETRES_APART: Final = 5.0
"""Two maps differ by less about one place."""

_EARTH_RADIUS_KM: Final = 6371.0
N = TypeVar("N", Title, Venue)


@dataclass(frozen=True, slots=True)
class Prepared:
    """An occasion, made ready to be compared; only one that has a title and a day is."""

    site: str
    titles: tuple[Title, ...]
    day: int
    """Its number, counted as Python counts days."""
    moment: datetime | None
    venues: tuple[Venue, ...]
    cities: frozenset[str]
    position: tuple[float, float] | None
    pages: frozenset[str]


def prepare(occasion: Occasion) -> Prepared | None:
    """Make an occasion ready; None of one that is never the same as another: it tells too little.

    What has no title could be anything, and what has no day any of a series.
    """
    titles_told = tuple(filter(None, map(read_title, occasion.titles)))
    day = _day(occasion.day)
    if not titles_told or day is None:
        return None
    venues_told = tuple(filter(None, map(read_venue, occasion.venues)))
    return Prepared(
        site=occasion.site,
        titles=titles_told,
        day=day,
        moment=_moment(occasion.moment),
        venues=venues_told,
        cities=_cities(occasion, venues_told),
        position=occasion.position,
        pages=frozenset(filter(None, map(page_at, occasion.addresses))),
    )


def compare(one: Prepared, other: Prepared) -> Evidence | None:
    """Say by what evidence two occasions are the same; None where they are not."""
    if contradict(one, other):
        return None
    title = _nearest(one.titles, other.titles, titles.similarity)
    assert title is not None, "what has no title is not made ready"
    venue = _nearest(one.venues, other.venues, venues.similarity)
    address = min(one.pages & other.pages, default=None)
    tier = _tier(one, other, title, venue, address)
    if tier is None:
        return None
    return Evidence(
        tier=tier,
        title=_compared(title),
        days=(_as_text(one.day), _as_text(other.day)),
        venue=_compared(venue) if venue else None,
        address=address,
        minutes_apart=_minutes_apart(one.moment, other.moment),
    )


def contradict(one: Prepared, other: Prepared) -> bool:
    """Whether two cannot be the same, whatever else they have in common."""
    if abs(one.day - other.day) > DAYS_APART:
        return True
    if one.site == other.site and not _is_told_alike(one, other):
        return True
    if one.cities and other.cities and not one.cities & other.cities:
        return True
    return _kilometres(one.position, other.position) > KILOMETRES_APART


_Pair = tuple[N, N, float]


def _tier(
    one: Prepared,
    other: Prepared,
    title: _Pair[Title],
    venue: _Pair[Venue] | None,
    address: str | None,
) -> Tier | None:
    same_venue = venue is not None and venue[0].plain == venue[1].plain
    same_title = title[0].plain == title[1].plain
    if same_title and same_venue and one.day == other.day:
        return Tier.EXACT
    if one.site == other.site and one.moment is None:
        return None  # a site writes its own titles: that two are nearly the same says too little
    near_title = same_title or (title[2] >= SAME_TITLE and title[0].numbers == title[1].numbers)
    if near_title and venue is not None and venue[2] >= SAME_VENUE:
        return Tier.FUZZY
    if address is None:
        return None
    may_be = near_title if one.site == other.site else _may_share_a_page(one, other)
    return Tier.ADDRESS if may_be else None


def _may_share_a_page(one: Prepared, other: Prepared) -> bool:
    """Whether nothing in the titles of two sites speaks against a page that both name.

    Titles in two scripts say nothing about each other; then the day has to be the very same.
    """
    comparable = [
        (ours, theirs)
        for ours in one.titles
        for theirs in other.titles
        if ours.scripts & theirs.scripts
    ]
    if not comparable:
        return one.day == other.day
    return any(titles.is_near(ours, theirs) for ours, theirs in comparable)


def _is_told_alike(one: Prepared, other: Prepared) -> bool:
    """Whether one site tells the same time and the same room of two, or nothing of either.

    Within a site these tell apart the days, the hours and the classes of a series; where no hour is
    known, two pages do.
    """
    if one.day != other.day or one.moment != other.moment:
        return False
    if one.moment is None and one.pages and other.pages and one.pages.isdisjoint(other.pages):
        return False
    ours, theirs = ({venue.plain for venue in each.venues} for each in (one, other))
    return not ours or not theirs or not ours.isdisjoint(theirs)


def _nearest(
    ours: Iterable[N], theirs: Iterable[N], measure: Callable[[N, N], float]
) -> _Pair[N] | None:
    """Give the two values that are most alike, and how much; the same from both sides."""
    pairs = [(one, other, measure(one, other)) for one in ours for other in theirs]
    return max(pairs, key=_rank, default=None)


def _rank(pair: _Pair[N]) -> tuple[float, bool, list[str]]:
    one, other, similarity = pair
    return (similarity, one.plain == other.plain, sorted((one.as_told, other.as_told)))


def _compared(pair: _Pair[N]) -> Compared:
    return Compared(pair[0].as_told, pair[1].as_told, round(pair[2], 4))


def _minutes_apart(one: datetime | None, other: datetime | None) -> int | None:
    return round(abs((one - other).total_seconds()) / 60) if one and other else None


def _kilometres(one: tuple[float, float] | None, other: tuple[float, float] | None) -> float:
    """Give the way between two places along the earth; nothing where one is not known."""
    if one is None or other is None:
        return 0.0
    (lat, lon), (their_lat, their_lon) = sorted(
        (tuple(map(radians, one)), tuple(map(radians, other)))
    )
    across = cos(lat) * cos(their_lat) * sin((their_lon - lon) / 2) ** 2
    return 2 * _EARTH_RADIUS_KM * asin(min(1.0, sqrt(sin((their_lat - lat) / 2) ** 2 + across)))


def _cities(occasion: Occasion, told: Iterable[Venue]) -> frozenset[str]:
    """Give the city that is named as such, else those that the venue's names speak of."""
    if occasion.city and (city := venues.city_named(occasion.city)):
        return frozenset((city,))
    return frozenset(one.city for one in told if one.city)


def _day(text: str | None) -> int | None:
    try:
        return date.fromisoformat(text or "").toordinal()
    except ValueError:
        return None


def _moment(text: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(text or "")
    except ValueError:
        return None


def _as_text(day: int) -> str:
    return date.fromordinal(day).isoformat()

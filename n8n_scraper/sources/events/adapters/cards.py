"""Find the cards of a page, one for each event, and what stands on each of them.

Selectors are asked of the whole page once, as a browser does, and each element that they find is
given to the one card it stands on. So nothing on one card is ever taken for another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from lxml import etree

from n8n_scraper.reading.structured.document import elements, words_of
from n8n_scraper.sources.events.found import Hints
from n8n_scraper.sources.events.selectors import FIELDS, Selector, compiled

MOST_CARDS = 500
_MOST_FOUND, _MOST_TITLES = 50, 2_000
T = TypeVar("T")
_NO_CARDS = ("nav", "footer")
_RANKS = {"title": 0, **{f"h{rank}": rank for rank in range(1, 7)}}
_YEAR = re.compile(r"(?<!\d)20\d\d(?!\d)")
_YEARS = re.compile(r"20\d\d\s*[-/–]\s*\d")
_HEADINGS = "descendant-or-self::*[self::h1 or self::h2 or self::h3 or self::h4 or self::h5]"


@dataclass(slots=True)
class Card:
    """One card: the elements that it is made of, and those that the selectors found on it."""

    roots: list[etree._Element]
    found: dict[str, list[etree._Element]] = field(default_factory=dict)
    year: int | None = None
    """The year that a heading above the card tells."""

    @property
    def has_more_than_a_title(self) -> bool:
        """Whether it tells anything of what its title names; a line of a menu does not."""
        return any(self.found.get(name) for name in FIELDS if name not in ("title", "link"))


def cards_of(root: etree._Element, hints: Hints) -> list[Card]:
    """Give the cards of the page in their order."""
    chosen = {name: compiled(one) for name, one in hints.selectors.items()}
    titles = _outside(_found(root, chosen["title"]))[:_MOST_TITLES] if "title" in chosen else []
    if "item" in chosen:
        items = _without_nested(_outside(_found(root, chosen["item"])))[:MOST_CARDS]
        within = _by_owner(titles, {item: item for item in items})
        cards = [card for item in items for card in _split(item, within.get(item, []))]
    else:
        cards = _around(titles)
    cards = cards[:MOST_CARDS]
    _give_out(root, cards, chosen)
    _tell_years(root, cards)
    return [card for card in cards if "item" in chosen or card.has_more_than_a_title]


def heading_of(card: Card) -> etree._Element | None:
    """Give the first heading of a card."""
    found = (one for root in card.roots for one in elements(root, _HEADINGS))
    return next((one for one in found if words_of(one)), None)


def _found(root: etree._Element, selector: Selector) -> list[etree._Element]:
    return elements(root, selector.path)


def _outside(found: Sequence[etree._Element]) -> list[etree._Element]:
    """Leave out what stands in the menus of a page."""
    return [one for one in found if next(one.iterancestors(*_NO_CARDS), None) is None]


def _without_nested(items: Sequence[etree._Element]) -> list[etree._Element]:
    """Leave out a card that stands on a larger one, unless that holds several."""
    every = set(items)
    inner: dict[etree._Element, int] = {}
    for one in items:
        for around in one.iterancestors():
            if around in every:
                inner[around] = inner.get(around, 0) + 1
    kept = [one for one in items if inner.get(one, 0) <= 1]
    chosen = set(kept)
    return [one for one in kept if not any(around in chosen for around in one.iterancestors())]


def _by_owner(
    found: Sequence[etree._Element], owners: Mapping[etree._Element, T]
) -> dict[T, list[etree._Element]]:
    """Give each element to the nearest owner around it; those without one are left out."""
    given: dict[T, list[etree._Element]] = {}
    for one in found:
        around = next((each for each in (one, *one.iterancestors()) if each in owners), None)
        if around is not None:
            given.setdefault(owners[around], []).append(one)
    return given


def _split(item: etree._Element, titles: Sequence[etree._Element]) -> list[Card]:
    """Cut an element that several titles share, so that each has its own card."""
    every = set(titles)
    apart = [one for one in titles if not any(around in every for around in one.iterancestors())]
    return _around(apart, item) if len(apart) > 1 else [Card([item])]


def _around(titles: Sequence[etree._Element], limit: etree._Element | None = None) -> list[Card]:
    """Give each title the largest element that holds no other, and what follows it there."""
    counted: dict[etree._Element, int] = {}
    for title in titles:
        for one in (title, *title.iterancestors()):
            counted[one] = counted.get(one, 0) + 1
    cards = []
    for title in titles:
        top = title
        while (
            (parent := top.getparent()) is not None
            and parent is not limit
            and parent.tag not in ("body", "html")
            and counted.get(parent) == 1
        ):
            top = parent
        cards.append(Card([top, *_following(top, counted)]))
    return cards


def _following(top: etree._Element, counted: dict[etree._Element, int]) -> Iterator[etree._Element]:
    """Give what stands beside a title that has no element of its own around it."""
    if top.tag not in ("h1", "h2", "h3", "h4", "h5", "h6", "dt", "p", "strong", "b"):
        return
    for one in top.itersiblings():
        if one in counted:
            return
        yield one


def _give_out(root: etree._Element, cards: list[Card], chosen: dict[str, Selector]) -> None:
    owners = {one: number for number, card in enumerate(cards) for one in card.roots}
    for name in FIELDS:
        if name in chosen:
            for number, found in _by_owner(_found(root, chosen[name]), owners).items():
                cards[number].found[name] = found[:_MOST_FOUND]


def _tell_years(root: etree._Element, cards: list[Card]) -> None:
    """Give each card the year of the heading above it; of one further up where that has none."""
    owners = {one: card for card in cards for one in card.roots}
    above: dict[int, int | None] = {}
    for one in root.iter("*"):
        if (card := owners.get(one)) is not None:
            card.year = card.year or _lowest(above)
        elif (rank := _RANKS.get(one.tag)) is not None and not _is_on(one, owners):
            above = {higher: year for higher, year in above.items() if higher < rank}
            above[rank] = _year_in(words_of(one))


def _lowest(above: Mapping[int, int | None]) -> int | None:
    return next((year for _, year in sorted(above.items(), reverse=True) if year), None)


def _is_on(element: etree._Element, owners: Mapping[etree._Element, Card]) -> bool:
    return any(around in owners for around in element.iterancestors())


def _year_in(words: str) -> int | None:
    """Give the year that words tell; None where they tell several, such as "2025/26"."""
    years = set(_YEAR.findall(words)) if not _YEARS.search(words) else set()
    return int(years.pop()) if len(years) == 1 else None

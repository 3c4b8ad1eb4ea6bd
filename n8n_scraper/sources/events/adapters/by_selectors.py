"""Read events by the selectors of their source: what the page says to people."""

from __future__ import annotations

import re
from dataclasses import replace

from lxml import etree

from n8n_scraper.reading.blocks import apart
from n8n_scraper.reading.prices import read_price
from n8n_scraper.reading.states import state_in_title, state_of
from n8n_scraper.reading.structured.document import attribute, elements, lines_of, words_of
from n8n_scraper.reading.whens import When, read_from_to, read_when
from n8n_scraper.sources.events.adapters.cards import Card, cards_of, heading_of
from n8n_scraper.sources.events.adapters.draft import Draft
from n8n_scraper.sources.events.adapters.images import largest_of
from n8n_scraper.sources.events.adapters.page import Page
from n8n_scraper.sources.events.found import Found, Place
from n8n_scraper.sources.events.selectors import compiled

_BACKGROUND = re.compile(r"url\(\s*['\"]?([^'\")]+)")
_LAZY = ("data-src", "data-original", "data-lazy-src", "src")
# What calendars write in front of a name, and is of what kind the event is.
_KINDS = ("Major Event", "Public Holiday")
_MOST_LINES, _MOST_OF_A_BLOCK = 40, 8


def by_selectors(root: etree._Element, page: Page) -> list[Found]:
    """Give the events of the cards; none where the source has no selector of a card or title."""
    if not {"item", "title"} & page.hints.selectors.keys():
        return []
    found = (_event(card, page) for card in cards_of(root, page.hints))
    return [event for event in found if event]


def _event(card: Card, page: Page) -> Found | None:
    draft = Draft(page, "selectors")
    _title(card, draft, page)
    draft.text("source_event_id", _words(card, "id", page))
    draft.link(_link(card, page))
    draft.when(_when(card, replace(page, calendar=replace(page.calendar, year=card.year))))
    draft.venue(_venue(card, page))
    if told := _price(card, page):
        draft.price(read_price(told, page.hints.currency))
    draft.description("\n".join(_lines(card, "description", page)))
    draft.images(_images(card, page))
    if said := _words(card, "status", page):
        draft.status(state_of(said) or state_in_title(f"({said})"))
    return draft.done()


def _title(card: Card, draft: Draft, page: Page) -> None:
    words = _words(card, "title", page)
    if "title" not in page.hints.selectors:
        heading = heading_of(card)
        words = words_of(heading) if heading is not None else _first_line(card)
    for kind in _KINDS:
        if words and words.startswith(f"{kind} "):
            draft.categories([kind])
            words = words.removeprefix(kind)
    draft.title(words)


def _first_line(card: Card) -> str | None:
    return next((line for root in card.roots for line in lines_of(root)), None)


def _lines(card: Card, name: str, page: Page) -> list[str]:
    """Give the lines of the first element that has any."""
    if name not in page.hints.selectors:
        return []
    taken = compiled(page.hints.selectors[name]).attribute
    for one in card.found.get(name, ()):
        if taken:
            found = [attribute(one, taken)]
        elif name in ("start", "end", "date") and (moment := _machine(one)):
            found = [moment]
        else:
            found = lines_of(one)
        if any(found):
            return [line for line in found if line][:_MOST_LINES]
    return []


def _machine(element: etree._Element) -> str:
    """Give what a <time> says to programs."""
    return attribute(element, "datetime") if element.tag == "time" else ""


def _words(card: Card, name: str, page: Page) -> str | None:
    return " ".join(_lines(card, name, page)) or None


def _all_lines(card: Card, name: str, page: Page) -> list[str]:
    """Give the lines of every element, for what may stand in several."""
    if name not in page.hints.selectors:
        return []
    taken = compiled(page.hints.selectors[name]).attribute
    every = card.found.get(name, ())
    lines = (([attribute(one, taken)] if taken else lines_of(one)) for one in every)
    return list(dict.fromkeys(line for several in lines for line in several if line))[
        :_MOST_OF_A_BLOCK
    ]


def _when(card: Card, page: Page) -> When | None:
    if start := _words(card, "start", page):
        found = read_from_to(start, _words(card, "end", page), page.calendar)
        if found.occurrences or "date" not in page.hints.selectors:
            return found if found.occurrences else _of_block([start], found, page)
    lines = _lines(card, "date", page)
    if not lines:
        return None
    times = [one for one in _lines(card, "time", page) if one not in lines]
    found = read_when("\n".join([*lines, *times]), page.calendar)
    every = [*_all_lines(card, "date", page), *times]
    return found if found.occurrences else _of_block(every, found, page)


def _of_block(lines: list[str], before: When, page: Page) -> When:
    """Read the time out of lines that are about other things as well."""
    told = apart(lines).time
    if told is None:
        return before
    found = read_when(told, page.calendar)
    return found if found.occurrences else before


def _venue(card: Card, page: Page) -> Place | None:
    name = "venue" if "venue" in page.hints.selectors else "location"
    lines = _lines(card, name, page)[:_MOST_OF_A_BLOCK]
    if not lines:
        return None
    place = apart(lines).place
    return Place(name=place[:500]) if place else None


def _price(card: Card, page: Page) -> str | None:
    lines = _all_lines(card, "price", page)
    if not lines:
        return None
    return apart(lines).price or (lines[0] if len(lines) == 1 else None)


def _link(card: Card, page: Page) -> str | None:
    if "link" in page.hints.selectors:
        taken = compiled(page.hints.selectors["link"]).attribute or "href"
        for one in card.found.get("link", ()):
            inner = [one, *elements(one, "descendant::a[@href]")]
            if address := next((found for each in inner if (found := attribute(each, taken))), ""):
                return address
        return None
    for one in [*card.found.get("title", ()), *card.roots]:
        if around := elements(one, "ancestor-or-self::a[@href]"):
            return attribute(around[-1], "href")
    inner = [each for one in card.found.get("title", ()) for each in elements(one, ".//a[@href]")]
    return attribute(inner[0], "href") if inner else None


def _images(card: Card, page: Page) -> list[str | None]:
    if "image" not in page.hints.selectors:
        return []
    taken = compiled(page.hints.selectors["image"]).attribute
    found: list[str | None] = []
    for one in card.found.get("image", ()):
        if taken:
            value = attribute(one, taken)
            styled = _BACKGROUND.search(value)
            found.append(styled[1] if styled else value)
            continue
        pictures = elements(one, "descendant-or-self::*[self::img or self::source or @style]")
        found += [_picture(picture) for picture in pictures[:20]]
    return found


def _picture(element: etree._Element) -> str | None:
    if element.tag in ("img", "source"):
        if several := attribute(element, "srcset") or attribute(element, "data-srcset"):
            return largest_of(several)
        return next((found for name in _LAZY if (found := attribute(element, name))), None)
    styled = _BACKGROUND.search(attribute(element, "style"))
    return styled[1] if styled else None

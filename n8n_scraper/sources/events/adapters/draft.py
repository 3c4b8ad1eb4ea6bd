"""An event in the making: each field with the place it was read from, none made up."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from n8n_scraper.reading.states import state_in_title
from n8n_scraper.reading.structured.document import lines_of, tree_of
from n8n_scraper.reading.values import Occurrence, Price, Status
from n8n_scraper.reading.whens import When
from n8n_scraper.reading.words import line, lines
from n8n_scraper.sources.events.adapters.images import is_picture
from n8n_scraper.sources.events.adapters.page import Page
from n8n_scraper.sources.events.found import MOST_IMAGES, Found, Place

# What stands on a link to an event and is not its name.
_NO_TITLES = frozenset(
    (
        *("learn more", "read more", "more", "more info", "more information", "details"),
        *("see details", "view details", "view more", "buy tickets", "book now", "buy now"),
    )
)
_MOST_TITLE, _MOST_TEXT, _MOST_DOUBTS = 500, 20_000, 20
_MARKUP = re.compile(r"<[a-zA-Z/][^>]*>")


@dataclass(slots=True)
class Draft:
    """The fields of `Found` that were read so far."""

    page: Page
    place: str
    fields: dict[str, Any] = field(default_factory=dict)

    def set(self, name: str, value: Any) -> None:
        """Take a value where it says anything, and the field has none yet."""
        if value is not None and value not in ("", (), []):
            self.fields.setdefault(name, value)

    def title(self, text: str | None) -> None:
        """Take a title, and the state that it may tell."""
        words = line(plain(text)) if text else None
        if words and len(words) <= _MOST_TITLE and words.lower() not in _NO_TITLES:
            self.set("title", words)
            self.set("status", state_in_title(words))

    def link(self, address: str | None) -> None:
        """Take the address of the event; another page than this one has more about it."""
        if whole := self.page.absolute(address):
            self.set("url", whole)
            if _bare(whole) != _bare(self.page.url):
                self.set("detail_url", whole)

    def when(self, found: When | None) -> None:
        """Take the times, with the words that tell them and what is doubtful in them."""
        if found is None or "when" in self.fields:
            return
        self.set("when", found.words)
        self.set("doubts", found.doubts)
        self.occurrences(found.occurrences)
        self.set("year_by", found.year_by)

    def occurrences(self, found: Iterable[Occurrence]) -> None:
        """Take the times, and with them when all of it begins and ends."""
        times = tuple(found)
        if times and "occurrences" not in self.fields:
            kinds = {one.all_day for one in times}
            ends = [one.end for one in times]
            self.fields.update(
                occurrences=times,
                start=times[0].start,
                all_day=kinds.pop() if len(kinds) == 1 else None,
            )
            self.set("end", ends[-1] and max(end for end in ends if end))

    def venue(self, place: Place | None) -> None:
        """Take a place that says anything."""
        if place != Place():
            self.set("venue", place)

    def price(self, found: Price | None) -> None:
        """Take a price."""
        self.set("price", found)

    def text(self, name: str, text: str | None) -> None:
        """Take words of one line."""
        self.set(name, line(plain(text)) if text else None)

    def description(self, text: str | None) -> None:
        """Take words of several lines, without their markup."""
        words = lines(plain(text)) if text else None
        self.set("description", words and words[:_MOST_TEXT])

    def images(self, addresses: Iterable[str | None]) -> None:
        """Take the first pictures."""
        whole = (self.page.absolute(one) for one in addresses if one and is_picture(one))
        self.set("images", tuple(dict.fromkeys(one for one in whole if one))[:MOST_IMAGES])

    def categories(self, names: Iterable[str | None]) -> None:
        """Take the names of what kind of event it is."""
        words = (line(plain(one)) for one in names if one)
        self.set("categories", tuple(dict.fromkeys(one for one in words if one))[:20])

    def status(self, state: Status | None) -> None:
        """Take what has become of the event; what a title says of it counts more."""
        self.set("status", state)

    def done(self) -> Found | None:
        """Give the event; None of what has no title."""
        if "title" not in self.fields:
            return None
        fields = dict(self.fields)
        year_by = fields.pop("year_by", None)
        fields["doubts"] = tuple(dict.fromkeys(fields.get("doubts", ())))[:_MOST_DOUBTS]
        sources = {
            name: f"{self.place}, year by {year_by}"
            if year_by and name in ("start", "end", "occurrences")
            else self.place
            for name in fields
            if name not in ("doubts", "timezone")
        }
        fields.setdefault("timezone", self.page.hints.timezone)
        return Found(**fields, sources=sources)


def plain(text: str) -> str:
    """Give the words of a text that may have markup."""
    if not _MARKUP.search(text):
        return text
    root = tree_of(text[: 10 * _MOST_TEXT])
    return "" if root is None else "\n".join(lines_of(root))


def _bare(url: str) -> str:
    return url.partition("#")[0].rstrip("/")

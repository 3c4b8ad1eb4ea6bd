"""Plays the open data on a local port: ``python -m n8n_scraper.sources.hk_events.stand_in``."""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Protocol

from n8n_scraper.sources.hk_events.invented import Changes, InventedEvents
from n8n_scraper.sources.hk_events.source import FILES
from n8n_scraper.testing.replica import switches
from n8n_scraper.testing.replica.answer import HTML, TEXT, XML, Answer
from n8n_scraper.testing.replica.cli import main
from n8n_scraper.testing.replica.script import Script

_CAPTCHA = b"<desce><![CDATA["
_CAPTCHA_SENTENCE = b"No captcha has to be solved for a ticket. "


class Switches(switches.Switches):
    """All that can be changed about the stand-in, before and during a run."""

    changes: Changes = Changes()


class Stock(Protocol):
    """Who has the three files."""

    def venues_file(self) -> bytes:
        """What `venues.xml` holds."""

    def dates_file(self) -> bytes:
        """What `eventDates.xml` holds."""

    def events_file(self) -> bytes:
        """What `events.xml` holds."""


class OpenData:
    """The three files, in whatever folder they are asked for."""

    def __init__(self, stock: Stock, switches: Switches) -> None:
        self._stock = stock
        self._switches = switches

    def answer(self, site_url: str, target: str) -> Answer:
        """Give a file, or the honest 404."""
        name = target.partition("?")[0].rpartition("/")[2]
        if name == "robots.txt":
            return Answer(self._robots().encode(), TEXT)
        if name not in FILES:
            return self.error(404, site_url + target)
        return Answer(self._files[name], XML)

    def error(self, status: int, url: str, message: str = "Error") -> Answer:
        """Tell of an error on a page."""
        return Answer(_page(f"{status} {message}", url), HTML, status)

    def instead(self, kind: str, answer: Answer) -> Answer | None:
        """Give what is shown in place of a file."""
        make = _INSTEAD.get(kind)
        return make(answer) if make else None

    def elsewhere(self, target: str) -> str:
        """Give the path of the next file."""
        folder, slash, name = target.rpartition("/")
        following = FILES[(FILES.index(name) + 1) % len(FILES)] if name in FILES else name
        return folder + slash + following

    def headers(self, seq: int) -> Mapping[str, str]:
        """Give the headers that every answer has."""
        return {"Server": "Apache"}

    @cached_property
    def _files(self) -> dict[str, bytes]:
        stock = self._stock
        made = (stock.venues_file(), stock.dates_file(), stock.events_file())
        return dict(zip(FILES, made, strict=True))

    def _robots(self) -> str:
        delay = self._switches.robots_crawl_delay
        lines = ["User-agent: *", *(f"Disallow: {one}" for one in self._switches.robots_disallow)]
        return "\n".join([*lines, *([f"Crawl-delay: {delay:g}"] if delay is not None else []), ""])


def _page(title: str, text: str) -> bytes:
    return (
        f"<!DOCTYPE html><html><head><title>{title}</title></head>"
        f"<body><h1>{title}</h1><p>{text}</p></body></html>"
    ).encode()


_INSTEAD: Mapping[str, Callable[[Answer], Answer]] = {
    "captcha": lambda _: Answer(_page("Just a moment...", "Verify you are human"), HTML),
    "captcha_word": lambda answer: replace(
        answer, body=answer.body.replace(_CAPTCHA, _CAPTCHA + _CAPTCHA_SENTENCE, 1)
    ),
    "soft_404": lambda _: Answer(_page("404 Not Found", "There is no such page."), HTML),
}

SCRIPT = Script(
    name="Hong Kong's open data of events",
    noun="events",
    module="n8n_scraper.sources.hk_events.stand_in",
    size=60,
    seed=1,
    switches=Switches,
    stock=lambda size, seed, switches: InventedEvents(size, seed, switches.changes),
    site=OpenData,
    kinds=(
        *((name.partition(".")[0], re.compile(rf".*/{re.escape(name)}")) for name in FILES),
        ("robots", re.compile(r".*/robots\.txt")),
    ),
)

if __name__ == "__main__":
    sys.exit(main(SCRIPT))

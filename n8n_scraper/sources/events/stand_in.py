"""Plays the ten sites on a local port: ``python -m n8n_scraper.sources.events.stand_in``.

Each has a path of its own (`shapes.PATHS`), which is named as the site's address.
"""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from n8n_scraper.sources.events.invented import SITES, Changes, Invented, InventedSites
from n8n_scraper.sources.events.shapes import PATHS, detail, listed
from n8n_scraper.sources.events.shapes.page import page_of
from n8n_scraper.testing.replica import switches
from n8n_scraper.testing.replica.answer import HTML, JSON, TEXT, Answer
from n8n_scraper.testing.replica.cli import main
from n8n_scraper.testing.replica.script import Script

_CAPTCHA_SENTENCE = b"<p>No captcha has to be solved for a ticket.</p></body>"


class Switches(switches.Switches):
    """All that can be changed about the stand-in, before and during a run."""

    changes: Changes = Changes()


class Stock(Protocol):
    """Who knows the events of the sites."""

    def events(self, site: str) -> list[Invented]:
        """Those that a site lists."""

    def event(self, site: str, key: str) -> Invented | None:
        """The one of a key."""


class Sites:
    """The sites, side by side."""

    def __init__(self, stock: Stock, switches: Switches) -> None:
        self._stock = stock
        self._switches = switches

    def answer(self, site_url: str, target: str) -> Answer:
        """Give a page of a site, or the honest 404."""
        if target == "/robots.txt":
            return Answer(self._robots().encode(), TEXT)
        site = target.split("/")[1].partition("?")[0]
        if site not in SITES:
            return self.error(404, site_url + target)
        body = listed(site, self._stock.events(site), target)
        if body is not None:
            return Answer(body, JSON if body.startswith(b"{") else HTML)
        event = self._stock.event(site, target.partition("?")[0].rpartition("/")[2])
        return Answer(detail(event), HTML) if event else self.error(404, site_url + target)

    def error(self, status: int, url: str, message: str = "Error") -> Answer:
        """Tell of an error on a page."""
        return Answer(page_of(f"{status} {message}", f"<p>{url}</p>"), HTML, status)

    def instead(self, kind: str, answer: Answer) -> Answer | None:
        """Give what is shown in place of a page."""
        make = _INSTEAD.get(kind)
        return make(answer) if make else None

    def elsewhere(self, target: str) -> str:
        """Give the path of another site's list."""
        return next(path for path in PATHS.values() if path != target)

    def headers(self, seq: int) -> Mapping[str, str]:
        """Give the headers that every answer has."""
        return {"Server": "nginx"}

    def _robots(self) -> str:
        delay = self._switches.robots_crawl_delay
        lines = ["User-agent: *", *(f"Disallow: {one}" for one in self._switches.robots_disallow)]
        return "\n".join([*lines, *([f"Crawl-delay: {delay:g}"] if delay is not None else []), ""])


_INSTEAD: Mapping[str, Callable[[Answer], Answer]] = {
    "captcha": lambda _: Answer(page_of("Just a moment...", "<p>Verify you are human</p>"), HTML),
    "captcha_word": lambda answer: replace(
        answer, body=answer.body.replace(b"</body>", _CAPTCHA_SENTENCE, 1)
    ),
    "soft_404": lambda _: Answer(page_of("404 Not Found", "<p>There is no such page.</p>"), HTML),
}

SCRIPT = Script(
    name="ten sites that announce events",
    noun="events",
    module="n8n_scraper.sources.events.stand_in",
    size=6,
    seed=1,
    switches=Switches,
    stock=lambda size, seed, switches: InventedSites(size, seed, switches.changes),
    site=Sites,
    kinds=(
        *((site, re.compile(rf"/{site}/")) for site in SITES),
        ("robots", re.compile(r"/robots\.txt")),
    ),
)

if __name__ == "__main__":
    sys.exit(main(SCRIPT))

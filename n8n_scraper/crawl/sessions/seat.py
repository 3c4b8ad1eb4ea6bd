"""One browser session of a crawl, with what it has done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from n8n_scraper.policies.sessions.book import Told

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

    from n8n_scraper.crawl.sessions.wish import Wish
    from n8n_scraper.policies.sessions.session import Need


@dataclass(frozen=True, slots=True)
class SessionStats:
    """What a session has done and has to do."""

    session_id: str
    items_processed: int
    errors: int
    uptime: float
    current_load: int


@dataclass(slots=True, eq=False)
class Seat:
    """A session for one page at a time; it is opened by the first request that has it."""

    id: str
    wish: Wish
    need: Need
    since: float
    lease: str = ""
    """Its reservation, where there is one."""
    context: BrowserContext | None = None
    items: int = 0
    errors: int = 0
    load: int = 0
    visiting: str = ""
    """The site that it visits now."""
    visited: set[str] = field(default_factory=set)
    is_well: bool = False
    """Whether its last visit left it as it should be."""

    def begin(self, domain: str) -> None:
        """Note that a request has it."""
        self.load, self.visiting, self.is_well = 1, domain, False
        self.visited.add(domain)

    def end(self) -> None:
        """Note that the request has left it."""
        self.items += 1
        self.errors += not self.is_well
        self.load, self.visiting = 0, ""

    def stats(self, now: float) -> SessionStats:
        """Tell what it has done."""
        return SessionStats(self.id, self.items, self.errors, now - self.since, self.load)

    @property
    def told(self) -> Told:
        """The same for the book."""
        return Told(self.items, self.errors, self.load)

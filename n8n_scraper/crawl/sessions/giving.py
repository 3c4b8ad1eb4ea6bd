"""What whoever gives sessions has to be able to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

    from n8n_scraper.crawl.sessions.seat import Seat
    from n8n_scraper.policies.sessions.book import Refusal


class Giving(Protocol):
    """Somebody who gives sessions."""

    most: int
    """How many of them a process may have."""
    keeps_after_failure: bool
    """Whether a session is too dear to be ended because a site has failed in it."""

    idle_seconds: float | None
    """After so long without a page a session is given back; None where it costs nothing."""

    async def reserve(self) -> str | Refusal:
        """Reserve one; say why not, and for how long."""

    async def context(self, seat: Seat) -> BrowserContext:
        """Give what pages are opened in; ToolFailed where there is nothing."""

    async def answers(self, seat: Seat) -> bool:
        """Whether its browser still speaks."""

    async def clean(self, seat: Seat) -> None:
        """Leave nothing of a visit in it."""

    async def end(self, seat: Seat) -> None:
        """Close it, and give its reservation back."""

    async def close(self) -> None:
        """Leave nothing running."""

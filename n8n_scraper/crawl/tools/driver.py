"""Playwright's own process, through which a browser is spoken to, begun when it is needed."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from playwright.async_api import Error, Playwright, async_playwright

_PATIENCE_SECONDS = 5.0


class Driver:
    """Begins it once, and anew when it has ended by itself.

    It reads from a pipe of ours, and ends with us, whatever ends us.
    """

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._beginning = asyncio.Lock()

    async def playwright(self) -> Playwright:
        """Give the one that runs."""
        async with self._beginning:
            if self._playwright is None:
                self._playwright = await async_playwright().start()
            return self._playwright

    async def close(self) -> None:
        """End it: the next that is asked for is another."""
        async with self._beginning:
            gone, self._playwright = self._playwright, None
            if gone is not None:
                with suppress(Error, TimeoutError):  # it may have ended by itself
                    await asyncio.wait_for(gone.stop(), _PATIENCE_SECONDS)

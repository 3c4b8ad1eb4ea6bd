"""One browser for all that look at pages."""

import asyncio
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from n8n_scraper.crawl.tools.chromium import Chromium
from tests.browsing import chromium

__all__ = ["browser", "chromium"]


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """One Chromium a module: as long as it is there, no other event loop runs in this process."""
    ours = Chromium(chromium)
    try:
        place = asyncio.run(ours.address())
        with sync_playwright() as playwright:
            started = playwright.chromium.connect_over_cdp(place)
            yield started
            started.close()
    finally:
        ours.close()

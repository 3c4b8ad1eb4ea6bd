"""Read where the tools are that fetch pages, and how long each may take."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.typed_settings import (
    Given,
    TypedSettings,
    address,
    refuse,
    seconds,
    text,
    whole,
)
from n8n_scraper.policies.tools.ladder import Tool

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Programs that are looked for where none is named."""


@dataclass(frozen=True, slots=True)
class ToolSettings(TypedSettings):
    """The tools of a crawl."""

    firecrawl_url: str
    firecrawl_key: str
    devtools_url: str
    """A browser that is there already; empty where one of ours is started."""
    deadlines: Mapping[Tool, float]
    """After so many seconds a tool has failed, whatever it says itself."""
    executable: str
    """The browser that is started; empty where it is looked for."""
    arguments: tuple[str, ...]
    pages: int
    """How many pages a browser has open at a time."""

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `FIRECRAWL_…`, `DEVTOOLS_…` and `PLAYWRIGHT_…`."""
        firecrawl = text(settings, "FIRECRAWL_URL")
        return cls(
            firecrawl_url=address(settings, "FIRECRAWL_URL") if firecrawl else "",
            firecrawl_key=text(settings, "FIRECRAWL_KEY"),
            devtools_url=_place_of_browser(settings, "DEVTOOLS_URL"),
            deadlines={
                Tool.FIRECRAWL: _more_than_none(settings, "FIRECRAWL_TIMEOUT"),
                Tool.DEVTOOLS: _more_than_none(settings, "DEVTOOLS_TIMEOUT"),
                Tool.PLAYWRIGHT: _more_than_none(settings, "PLAYWRIGHT_TIMEOUT"),
            },
            executable=text(settings, "PLAYWRIGHT_EXECUTABLE"),
            arguments=tuple(text(settings, "PLAYWRIGHT_ARGUMENTS").split()),
            pages=whole(settings, "PLAYWRIGHT_PAGES"),
        )

    def check(self) -> None:
        """Refuse a browser that is named and is not there."""
        if self.executable and shutil.which(self.executable) is None:
            raise BadInput(
                f"PLAYWRIGHT_EXECUTABLE is {self.executable!r}, which is no program here; write "
                "the path of a Chromium, or nothing so that one is looked for."
            )

    def check_has(self, tools: Collection[Tool]) -> None:
        """Refuse tools to choose from of which one is nowhere."""
        if Tool.FIRECRAWL in tools and not self.firecrawl_url:
            raise BadInput(
                "TOOLS names firecrawl, and FIRECRAWL_URL is empty: write "
                "https://api.firecrawl.dev, or the address of your own."
            )

    def browser(self) -> str | None:
        """Give the program that is started; None where there is none."""
        names = (self.executable,) if self.executable else BROWSERS
        return next(filter(None, map(shutil.which, names)), None)


def _more_than_none(settings: Given, name: str) -> float:
    return seconds(settings, name) or refuse(settings, name, "a number of seconds, more than 0")


def _place_of_browser(settings: Given, name: str) -> str:
    given = text(settings, name)
    try:
        parts = urlsplit(given)
        fits = not given or (parts.scheme in ("http", "https", "ws", "wss") and parts.hostname)
    except ValueError:
        fits = False
    return given if fits else refuse(settings, name, "an address such as http://127.0.0.1:9222")

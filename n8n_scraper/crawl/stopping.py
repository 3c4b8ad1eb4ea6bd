"""Tell whoever waits that the crawl is being stopped, so that nobody waits for the waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import IgnoreRequest

from n8n_scraper.crawl.scrapy_internals import is_closing

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class Stopped(IgnoreRequest):
    """A request was not sent because the crawl was stopped; this says nothing of what it is for."""

    def __init__(self) -> None:
        super().__init__("the crawl was stopped")


def is_stopping(crawler: Crawler) -> bool:
    """Whether the engine waits for what is under way, to end then."""
    return is_closing(crawler)

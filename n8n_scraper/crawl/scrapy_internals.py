"""Every name that we lean on and Scrapy promises nobody: looked up here, and nowhere else.

A Scrapy that has renamed one must not fail at the moment it is wanted, which for one of them is
the moment at which the database is lost. So all are looked for before a crawl begins.
docs/reference/scrapy-internals.md says what each is for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy.extensions.feedexport import FeedExporter, FeedSlot

from n8n_scraper.core.errors import ScrapyHasChanged

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.commands import ScrapyCommand
    from scrapy.core.downloader import Slot
    from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
    from scrapy.crawler import Crawler


@dataclass(frozen=True, slots=True)
class Internal:
    """A name that may be another one in the next version."""

    owner: str
    """The module, and where it is one's the class, that has it."""
    name: str

    def __str__(self) -> str:
        return f"{self.owner}.{self.name}"

    def is_there(self) -> bool:
        """Whether this Scrapy has it: as an attribute, or as one that a new object is given."""
        module, _, last = self.owner.rpartition(".")
        try:
            owner = getattr(import_module(module), last, None) or import_module(self.owner)
        except ImportError:
            return False
        given = getattr(getattr(owner, "__init__", None), "__code__", None)
        fields = getattr(owner, "__dataclass_fields__", ())
        return hasattr(owner, self.name) or self.name in (*fields, *getattr(given, "co_names", ()))


_STATUS = re.compile(r"'status': (\d{3})")

INTERNALS = (
    Internal("scrapy.core.engine.ExecutionEngine", "_slot"),
    Internal("scrapy.core.engine._Slot", "nextcall"),
    Internal("scrapy.core.engine._Slot", "closing"),
    Internal("scrapy.core.scraper.Scraper", "_check_if_closing"),
    Internal("scrapy.core.downloader.Downloader", "slots"),
    Internal("scrapy.core.downloader.Slot", "lastseen"),
    Internal("scrapy.core.downloader.Slot", "delay"),
    Internal("scrapy.core.downloader.Slot", "active"),
    Internal("scrapy.core.downloader.Slot", "concurrency"),
    Internal("scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler", "_pool"),
    Internal("twisted.web.client.HTTPConnectionPool", "retryAutomatically"),
    Internal("scrapy.core.downloader.handlers.http11", "TunnelError"),
    Internal("scrapy.utils.defer", "_schedule_coro"),
    Internal("scrapy.extensions.feedexport.FeedExporter", "_close_slot"),
    Internal("scrapy.commands.crawl.Command", "_create_crawler"),
)


def check_internals(internals: tuple[Internal, ...] = INTERNALS) -> None:
    """Raise ScrapyHasChanged, with all the names that are missing."""
    if missing := [str(one) for one in internals if not one.is_there()]:
        raise ScrapyHasChanged(
            f"Scrapy {scrapy.__version__} has no {', '.join(missing)}, and a crawl needs that: "
            "install the versions of constraints.txt."
        )


def engines_alarm(crawler: Crawler) -> Callable[[], object]:
    """Give the one way to tell the engine that something is due.

    Without it the engine looks up every five seconds only.
    """
    assert crawler.engine is not None
    assert crawler.engine._slot is not None
    return crawler.engine._slot.nextcall.schedule


async def send_through_pipelines(crawler: Crawler, item: object) -> None:
    """Send an item that no answer has led to through the pipelines.

    The scraper looks after an answer whether it may close, and not after such an item: a crawl
    that is stopped meanwhile would wait for ever.
    """
    assert crawler.engine is not None
    scraper = crawler.engine.scraper
    await scraper.start_itemproc_async(item, response=None)
    if scraper.slot is not None and scraper.slot.closing and not scraper.slot.closing.called:
        scraper._check_if_closing()


def is_closing(crawler: Crawler) -> bool:
    """Whether the engine waits for what is under way, to end then."""
    engine = crawler.engine
    return engine is not None and engine._slot is not None and engine._slot.closing is not None


def downloads_of(crawler: Crawler, key: str) -> Slot | None:
    """Give what the downloader knows of a slot: who is active there, and how long it pauses."""
    assert crawler.engine is not None
    return crawler.engine.downloader.slots.get(key)


def send_once(handler: HTTP11DownloadHandler) -> None:
    """Keep Twisted from repeating a request by itself."""
    handler._pool.retryAutomatically = False


def hush_tunnel(error: BaseException) -> int | None:
    """Take out of an error what a proxy said that refused a tunnel, and give its status.

    Scrapy tells both in words alone, and those of a proxy may be our own credentials.
    """
    if type(error).__name__ != "TunnelError":
        return None
    said = _STATUS.search(str(error))
    error.args = (f"a proxy opened no tunnel{f' (status {said[1]})' if said else ''}",)
    return int(said[1]) if said else None


def begin(work: Coroutine[Any, Any, Any]) -> None:
    """Let the loop do something that nobody here can wait for."""
    from scrapy.utils.defer import _schedule_coro

    _schedule_coro(work)


def crawler_for(command: ScrapyCommand, spider: str) -> Crawler:
    """Set up a crawler as Scrapy's own command does."""
    crawler: Crawler = command._create_crawler(spider)  # type: ignore[attr-defined]
    return crawler


class FeedExporterWithAnEnd(FeedExporter):
    """Scrapy's exporter, in which the end of a feed has a public name."""

    async def end_feed(self, slot: FeedSlot, spider: Spider) -> None:
        """Finish a feed and store it."""
        await super()._close_slot(slot, spider)

    async def _close_slot(self, slot: FeedSlot, spider: Spider) -> None:
        await self.end_feed(slot, spider)

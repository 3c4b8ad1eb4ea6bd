"""Write feeds, without secrets where that is wanted, and say when one could not be written."""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Spider
from scrapy.extensions.feedexport import FeedExporter, FeedSlot
from w3lib.url import file_uri_to_path

from n8n_scraper.core.errors import BadInput
from n8n_scraper.exports.redactor import redactor
from n8n_scraper.policies.safety.redaction import RedactionSettings

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

FEED_LOST = "feedexport/lost"
"""Stat: how many items or feeds could not be written."""

_CLOSED_BY_AN_END = {"parquet": "Parquet", "json": "JSON", "xml": "XML"}
"""Formats whose file has an end, behind which nothing can be written, with their proper names."""

_FILLED_IN = re.compile(r"%\(\w+\)")
"""What the crawl fills into the name of a feed."""


class TruthfulFeedExporter(FeedExporter):
    """Scrapy's exporter, which counts what it could not write; Scrapy's own only logs it.

    Settings: `REDACT`, Scrapy's `FEEDS`. Stats: `feedexport/lost`.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._redact = redactor(RedactionSettings.from_settings(crawler.settings).redaction)

    def open_spider(self, spider: Spider) -> None:
        """Open every feed."""
        try:
            super().open_spider(spider)
        except OSError as error:
            self._lose("A feed cannot be opened", error)

    def item_scraped(self, item: Any, spider: Spider) -> None:
        """Write an item to every feed; nobody else's item is redacted by it."""
        from n8n_scraper.sources.n8n.item import Template  # the check of feeds has no use for it

        try:
            leaving = self._redact(item) if isinstance(item, Template) else item
            super().item_scraped(leaving, spider)
        except Exception as error:  # noqa: BLE001 - whatever it is, the feed has lost an item
            self._lose("A feed cannot be written", error)

    async def _close_slot(self, slot: FeedSlot, spider: Spider) -> None:
        """End a feed; what was kept back until now may still meet a full disk."""
        try:
            await super()._close_slot(slot, spider)
        except Exception as error:  # noqa: BLE001 - nobody else would hear of it
            self._lose("A feed cannot be finished", error)

    def _lose(self, what: str, error: Exception) -> None:
        """Count a loss, and tell the first: in one line, unless the error is one of our own."""
        if not self.crawler.stats.get_value(FEED_LOST):
            is_explained = isinstance(error, OSError | BadInput)
            logger.error("%s: %s", what, error, exc_info=None if is_explained else error)
        self.crawler.stats.inc_value(FEED_LOST)


def is_feed_lost(crawler: Crawler) -> bool:
    """Whether anything could not be written to a feed, by our count or by Scrapy's."""
    stats = crawler.stats.get_stats()
    return any(one == FEED_LOST or "feedexport/failed" in one for one in stats)


def replaced_feed(settings: BaseSettings) -> str:
    """Name the first feed that the next crawl of the same command begins anew, if there is one."""
    feeds = settings.getdict("FEEDS").items()
    return next((str(uri) for uri, options in feeds if options.get("overwrite")), "")


def check_feeds(settings: BaseSettings) -> None:
    """Raise BadInput for the first feed that could not be written, or not behind what is there."""
    for uri, options in settings.getdict("FEEDS").items():
        path = _local(str(uri))
        if path is None:
            continue
        _check_place(path)
        kind = _CLOSED_BY_AN_END.get(str(options.get("format")))
        if not kind or options.get("overwrite"):
            continue
        if path.is_file() and path.stat().st_size > 0:
            raise BadInput(
                f"{uri} is there already, and a {kind} file cannot be appended to; "
                "write -O to replace it, or another name."
            )
        if settings["JOBDIR"]:
            raise BadInput(
                f"{uri}: a crawl with a JOBDIR can go on later, and a {kind} file cannot be "
                "appended to; write -O, and take the whole of it with scrapy export."
            )


def _local(uri: str) -> Path | None:
    """Give the file of a feed; there is none elsewhere, or where the crawl fills the name in."""
    if uri.startswith("file:"):
        uri = file_uri_to_path(uri)
    elif uri == "-" or "://" in uri or uri.startswith("stdout:"):
        return None
    return None if _FILLED_IN.search(uri) else Path(uri)


def _check_place(path: Path) -> None:
    """Refuse a file that may not be written; a folder that is missing will be made."""
    there = next(one for one in (path.absolute(), *path.absolute().parents) if one.exists())
    if path.is_dir() or (there != path.absolute() and not there.is_dir()):
        why = "it is a folder" if path.is_dir() else f"{there} is no folder"
        raise BadInput(f"{path} cannot be written: {why}.")
    if not os.access(there, os.W_OK):
        raise BadInput(f"{path} cannot be written: {there} is not open to you for writing.")

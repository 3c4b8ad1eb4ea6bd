"""Tell truthfully how a spider ended that keeps no archive."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from scrapy import signals

from n8n_scraper.extensions.feeds import is_feed_lost, replaced_feed
from n8n_scraper.policies.run.plain_ending import plain_ending

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class PlainEnd:
    """Gives a spider of your own its exit status, with the reason as the last line of its log.

    Stats: `exit_status`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._reason: str | None = None
        self._errors = 0
        connect = crawler.signals.connect
        connect(self.count_error, signals.spider_error)
        connect(self.count_error, signals.item_error)
        connect(self.spider_closed, signals.spider_closed)
        connect(self.engine_stopped, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Listen to this crawl."""
        return cls(crawler)

    def count_error(self) -> None:
        """Note that a callback or a pipeline has raised."""
        self._errors += 1

    def spider_closed(self, spider: Spider, reason: str) -> None:
        """Note why it ended."""
        self._reason = reason

    def engine_stopped(self) -> None:
        """Judge when the feeds have ended too."""
        if self._reason is None:
            return
        feed_lost = is_feed_lost(self.crawler)
        ending = plain_ending(
            self._reason,
            errors=self._errors if feed_lost else max(self._errors, self._logged_errors),
            feed_lost=feed_lost,  # which is an error in the log itself
            can_go_on=bool(self.crawler.settings["JOBDIR"]),
            replaces=replaced_feed(self.crawler.settings),
        )
        self.crawler.stats.set_value("exit_status", int(ending.status))
        for line in ending.lines:
            logger.log(logging.INFO if ending.status == 0 else logging.WARNING, line)

    @property
    def _logged_errors(self) -> int:
        """Only the log tells of a page that could not be had and that no errback asked after."""
        logged: int = self.crawler.stats.get_value("log_count/ERROR", 0)
        return logged

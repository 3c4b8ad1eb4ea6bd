"""Remember from one crawl to the next what each tool has brought of a source."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Self

from n8n_scraper.core.signals import run_started
from n8n_scraper.crawl.sourced import source_of_crawl
from n8n_scraper.crawl.store import store_of
from n8n_scraper.crawl.tools.ladder import ladder_of
from n8n_scraper.crawl.working import worker_of
from n8n_scraper.ledger import tool_attempts
from n8n_scraper.ledger.tool_attempts import name_of_attempts
from n8n_scraper.reports.tools import attempts_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.policies.tools.ladder import Attempt


class ToolRecord:
    """Reads what is remembered when a run begins, and writes down each attempt."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.store = store_of(crawler)
        self.ladder = ladder_of(crawler)
        crawler.signals.connect(self.run_started, run_started)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Listen to this crawl."""
        return cls(crawler)

    async def run_started(self) -> None:
        """Take up what is known."""
        whose = self._whose()
        known = await self.store.run(lambda session: attempts_of(session, whose))
        self.ladder.remember(known)
        self.ladder.on_note = partial(self.note, whose)

    def note(self, whose: str, attempt: Attempt) -> None:
        """Write an attempt down."""
        work = partial(tool_attempts.note, source=whose, attempt=attempt)
        self.store.beside(self.store.run(work))

    def _whose(self) -> str:
        """Name the source, or the one of its places that the crawl is about."""
        source = source_of_crawl(self.crawler)
        if source is None:
            return str(self.crawler.spidercls.name)
        division = source.division(worker_of(self.crawler).run.arguments)
        return name_of_attempts(source.name, division.value if division else None)

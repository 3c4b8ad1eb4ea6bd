"""Keep a run within its budget of requests, whichever of its workers sends them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.exceptions import IgnoreRequest

from n8n_scraper.core.dossier import Dossier
from n8n_scraper.core.signals import item_ended
from n8n_scraper.crawl.gate import NO_WITNESS
from n8n_scraper.crawl.stopping import is_stopping
from n8n_scraper.policies.pace.budget import Budget

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.core.source import Source
    from n8n_scraper.crawl.store import CrawlStore
    from n8n_scraper.crawl.working import CrawlWorker

logger = logging.getLogger(__name__)

NOTHING_LEFT = "Reading the inventory has spent the whole budget: give a larger one."
SPENT = "the budget of requests was spent before it could be asked again"


class Spending:
    """Sets requests aside of the run's budget before they are sent, and refuses what goes beyond.

    What a process has set aside and not sent it gives back when it ends; what a killed one had set
    aside counts as sent. An item that could not be repeated any more ends as failed, and a later
    run asks again.
    """

    def __init__(self, most: int, requests_each: int, crawler: Crawler) -> None:
        self.most = most
        self.budget = Budget(0)
        """What this process has set aside."""
        self.requests_each = requests_each
        self.crawler = crawler
        self.store, self.worker = _at_work(crawler)
        self._told = False
        connect = crawler.signals.connect
        connect(self.request_scheduled, signals.request_scheduled)
        connect(self.request_reached_downloader, signals.request_reached_downloader)
        connect(self.item_ended, item_ended)
        connect(self.spider_closed, signals.spider_closed)

    @classmethod
    async def within(cls, most: int, source: Source, requests_each: int, crawler: Crawler) -> Self:
        """Begin with the files that every process asks for before anything else."""
        spending = cls(most, requests_each, crawler)
        for address in _robots_files(source, crawler):
            await spending._set_aside(address, 1)
        return spending

    async def affordable(self) -> int | None:
        """How many items can be asked for with what is left; None where they cost nothing."""
        if not self.requests_each:
            return None
        left = await self.worker.affordable(budget=self.most)
        return (left + self.budget.left) // self.requests_each

    async def affords(self, dossier: Dossier) -> bool:
        """Set aside what an item's chain takes; False when it is too much."""
        if not self.requests_each:
            return True
        cost = max(1, self.requests_each - len(dossier.parts))
        if await self._set_aside(dossier.item_id, cost):
            return True
        if not self._told:
            self._told = True
            logger.info("The budget is spent; what is left is up to a later update")
        return False

    def request_scheduled(self, request: Request) -> None:
        """Let a request join the line only if it may be sent."""
        dossier: Dossier | None = request.cb_kwargs.get("dossier")
        if self.budget.allows(dossier.item_id if dossier else None):
            return
        if dossier is None and NO_WITNESS not in request.meta:
            raise IgnoreRequest(SPENT)  # a question to a witness; nobody's work depends on it
        self.store.beside(self._ask_for_one_more(request, dossier))
        raise IgnoreRequest(SPENT)

    def request_reached_downloader(self, request: Request) -> None:
        """Count a request that is sent now."""
        dossier: Dossier | None = request.cb_kwargs.get("dossier")
        self.budget.sent(dossier.item_id if dossier else request.url)

    def item_ended(self, item_id: str) -> None:
        """Give others what an item did not need."""
        self.budget.ended(item_id)

    async def spider_closed(self) -> None:
        """Give the run's other workers what this one has set aside and not sent."""
        if unsent := self.budget.unsent:
            self.budget.grant(-unsent)
            await self.store.unless_lost(self.worker.reserve(-unsent, budget=self.most))

    async def _ask_for_one_more(self, request: Request, dossier: Dossier | None) -> None:
        """Send a request after all if the run can afford it; else give up what it is for."""
        if await self.worker.reserve(1, budget=self.most):
            self.budget.grant(1)
            if self.crawler.engine is not None and not is_stopping(self.crawler):
                self.crawler.engine.crawl(request)
        elif dossier is None:
            await self.worker.discovery_is_over(refusal=NOTHING_LEFT)
        else:
            from n8n_scraper.ledger.ledger import State

            await self.worker.fail(dossier.item_id, State.FAILED, SPENT)

    async def _set_aside(self, purpose: str, requests: int) -> bool:
        """Promise requests to a purpose, after having set aside what is lacking for it."""
        while (lacking := self.budget.lacking(requests)) > 0:
            if not await self.worker.reserve(lacking, budget=self.most):
                return False
            self.budget.grant(lacking)
        return self.budget.promise(purpose, requests)


def _at_work(crawler: Crawler) -> tuple[CrawlStore, CrawlWorker]:
    from n8n_scraper.crawl.store import store_of
    from n8n_scraper.crawl.working import worker_of

    return store_of(crawler), worker_of(crawler)


def _robots_files(source: Source, crawler: Crawler) -> set[str]:
    """The files that are asked for once a host without anybody planning it."""
    settings = crawler.settings
    if not settings.getbool("ROBOTSTXT_OBEY"):
        return set()
    bases = map(urlsplit, source.places(settings))
    return {f"{base.scheme}://{base.netloc}/robots.txt" for base in bases}

"""Keep a crawl within its budget of requests."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.exceptions import IgnoreRequest

from n8n_scraper.core.dossier import Dossier
from n8n_scraper.core.signals import item_ended
from n8n_scraper.crawl.gate import NO_WITNESS
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
    """Counts what reaches the site, and refuses what would go beyond the budget.

    An item that could not be repeated any more ends as failed, and a later run asks again.
    """

    def __init__(self, budget: Budget, requests_each: int, crawler: Crawler) -> None:
        self.budget = budget
        self.requests_each = requests_each
        self.store, self.worker = _at_work(crawler)
        self._told = False
        crawler.signals.connect(self.request_scheduled, signals.request_scheduled)
        crawler.signals.connect(self.request_reached_downloader, signals.request_reached_downloader)
        crawler.signals.connect(self.item_ended, item_ended)

    @classmethod
    async def within(cls, most: int, source: Source, requests_each: int, crawler: Crawler) -> Self:
        """Begin with what earlier processes of this run have left of its budget."""
        robots_files = _robots_files(source, crawler)
        every_start = len(robots_files) + source.inventory_requests
        budget = Budget(most, await _spent_before(crawler, every_start))
        for address in robots_files:
            budget.promise(address)
        return cls(budget, requests_each, crawler)

    @property
    def affordable(self) -> int | None:
        """How many items can be asked for with what is left; None where they cost nothing."""
        return self.budget.left // self.requests_each if self.requests_each else None

    def affords(self, dossier: Dossier) -> bool:
        """Set aside what an item's chain takes; False when it is too much."""
        if not self.requests_each:
            return True
        cost = max(1, self.requests_each - len(dossier.parts))
        if self.budget.promise(dossier.item_id, cost):
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
        self.store.beside(self._give_up(dossier))
        raise IgnoreRequest(SPENT)

    def request_reached_downloader(self, request: Request) -> None:
        """Count a request that is sent now."""
        dossier: Dossier | None = request.cb_kwargs.get("dossier")
        self.budget.sent(dossier.item_id if dossier else request.url)

    def item_ended(self, item_id: str) -> None:
        """Give others what an item did not need."""
        self.budget.ended(item_id)

    async def _give_up(self, dossier: Dossier | None) -> None:
        if dossier is None:
            await self.worker.discovery_is_over(refusal=NOTHING_LEFT)
        else:
            from n8n_scraper.ledger.ledger import State

            await self.worker.fail(dossier.item_id, State.FAILED, SPENT)


async def _spent_before(crawler: Crawler, every_start: int) -> int:
    """Give what earlier processes of the run may have sent, rather too much than too little."""
    from n8n_scraper.ledger import ledger

    store, worker = _at_work(crawler)
    run_id, owner = worker.run_id, worker.owner
    if run_id is None or owner is None or not worker.taken_up:
        return 0
    of_items = await store.run(lambda session: ledger.requests_spent(session, run_id))
    # What a start asks for before its first item has no line in the ledger, but the fence
    # counts the starts.
    return of_items + (owner.fence - 1) * every_start


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

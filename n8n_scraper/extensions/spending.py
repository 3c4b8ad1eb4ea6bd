"""Keep a crawl within its budget of requests."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.exceptions import CloseSpider, IgnoreRequest

from n8n_scraper.core.dossier import Dossier
from n8n_scraper.core.signals import template_ended
from n8n_scraper.crawl.gate import NO_WITNESS
from n8n_scraper.policies.pace.budget import Budget
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.rules.chain import ChainMode

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.extensions.archive import CrawlArchive
    from n8n_scraper.spiders.arguments import CrawlArguments

logger = logging.getLogger(__name__)

_INVENTORY_FILES = 2  # the index of sitemaps, and the one that it names
NOTHING_LEFT = "Reading the inventory has spent the whole budget: give a larger one."
SPENT = "the budget of requests was spent before it could be asked again"


class Spending:
    """Counts what reaches the site, and refuses what would go beyond the budget.

    A template that could not be repeated any more ends as failed, and a later run asks again.
    """

    def __init__(self, budget: Budget, requests_each: int, crawler: Crawler) -> None:
        self.budget = budget
        self.requests_each = requests_each
        self.archive = _archive_of(crawler)
        self._told = False
        self._refusing: set[asyncio.Future[None]] = set()
        crawler.signals.connect(self.request_scheduled, signals.request_scheduled)
        crawler.signals.connect(self.request_reached_downloader, signals.request_reached_downloader)
        crawler.signals.connect(self.template_ended, template_ended)

    @classmethod
    async def within(cls, arguments: CrawlArguments, crawler: Crawler) -> Self:
        """Begin with what earlier processes of this run have left of its budget."""
        robots_files = _robots_files(crawler)
        assert arguments.budget is not None
        budget = Budget(arguments.budget, await _spent_before(crawler, len(robots_files)))
        for address in robots_files:
            budget.promise(address)
        each = 1 if arguments.chain is ChainMode.LEAN else len(Layer)
        return cls(budget, each, crawler)

    @property
    def affordable(self) -> int:
        """How many templates can be asked for with what is left."""
        return self.budget.left // self.requests_each

    def affords(self, dossier: Dossier) -> bool:
        """Set aside what a template's chain takes; False when it is too much."""
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
        task = asyncio.ensure_future(self._give_up(dossier))
        self._refusing.add(task)
        task.add_done_callback(self._refusing.discard)
        raise IgnoreRequest(SPENT)

    def request_reached_downloader(self, request: Request) -> None:
        """Count a request that is sent now."""
        dossier: Dossier | None = request.cb_kwargs.get("dossier")
        self.budget.sent(dossier.item_id if dossier else request.url)

    def template_ended(self, workflow_id: str) -> None:
        """Give others what a template did not need."""
        self.budget.ended(workflow_id)

    async def _give_up(self, dossier: Dossier | None) -> None:
        try:
            if dossier is None:
                await self.archive.discovery_is_over(refusal=NOTHING_LEFT)
            else:
                from n8n_scraper.ledger.ledger import State

                await self.archive.fail(dossier.item_id, State.FAILED, SPENT)
        except CloseSpider as lost:
            self.archive.stop(lost.reason)


async def _spent_before(crawler: Crawler, robots_files: int) -> int:
    """Give what earlier processes of the run may have sent, rather too much than too little."""
    from n8n_scraper.records import history

    archive = _archive_of(crawler)
    run_id, owner = archive.run_id, archive.owner
    if run_id is None or owner is None or not archive.taken_up:
        return 0
    of_templates = await archive.do(lambda session: history.requests_spent(session, run_id))
    # What a start asks for before its first template has no line in the ledger, but the fence
    # counts the starts.
    return of_templates + (owner.fence - 1) * (robots_files + _INVENTORY_FILES)


def _archive_of(crawler: Crawler) -> CrawlArchive:
    from n8n_scraper.extensions.archive import archive_of

    return archive_of(crawler)


def _robots_files(crawler: Crawler) -> set[str]:
    """The files that are asked for once a host without anybody planning it."""
    settings = crawler.settings
    if not settings.getbool("ROBOTSTXT_OBEY"):
        return set()
    bases = (urlsplit(settings[name]) for name in ("N8N_SITE_URL", "N8N_API_URL"))
    return {f"{base.scheme}://{base.netloc}/robots.txt" for base in bases}

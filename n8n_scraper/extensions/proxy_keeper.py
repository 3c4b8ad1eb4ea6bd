"""Look after the proxies of a crawl, and end one that none of them serves."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.proxy_check import try_proxies
from n8n_scraper.crawl.proxy_health import note_health
from n8n_scraper.crawl.proxying import proxies_of
from n8n_scraper.crawl.scrapy_internals import begin
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.pace.pace_settings import CircuitSettings
from n8n_scraper.policies.proxies.pool import Blame
from n8n_scraper.policies.run.ending import SITE_DOWN

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class ProxyKeeper:
    """Rereads the list when its file has changed, tries those that rest, and notes how all do.

    Whoever keeps the list writes the file; a crawl under way takes it up. A proxy that rests is
    tried on a page of our own, where there is one: its answer ends the rest.

    Settings: `PROXY_REFRESH_SECONDS`, `PROXY_CANARY_URL`, `MIN_PROXIES`, `PROXY_HEALTH_FILE`,
    `CIRCUIT_BREAKER_WAIT_LIMIT`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.shared = proxies_of(crawler)
        self.clock = paces_of(crawler).clock
        self.wait_limit_seconds = CircuitSettings.from_settings(crawler.settings).wait_limit_seconds
        self._none_since: float | None = None
        self._are_few = False
        self._cannot_note = False
        self._trying: asyncio.Task[None] | None = None
        self._clockwork = create_looping_call(self._tick)
        crawler.signals.connect(self.spider_opened, signals.spider_opened)
        crawler.signals.connect(self.spider_closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Listen to a crawl that goes through proxies."""
        if not proxies_of(crawler).settings.in_use:
            raise NotConfigured
        return cls(crawler)

    def spider_opened(self, spider: Spider) -> None:
        """Say what there is, and begin to look."""
        settings = self.shared.settings
        if settings.rotator:
            logger.info("Requests go through the rotator %s", settings.rotator)
        else:
            logger.info("Requests go through %d proxies", len(self.shared.pool))
        if not settings.verified:
            logger.warning(
                "DOWNLOAD_VERIFY_CERTIFICATES is False: nothing proves that an answer is the "
                "site's, and every proxy behind %s could have written it.",
                settings.rotator,
            )
        self._warn_of_few()
        self._clockwork.start(settings.refresh_seconds, now=False)

    async def spider_closed(self, spider: Spider) -> None:
        """Stop looking, and note how they did."""
        if self._clockwork.running:
            self._clockwork.stop()
        if self._trying is not None:
            self._trying.cancel()
            await asyncio.gather(self._trying, return_exceptions=True)
        self._note()

    def _tick(self) -> None:
        self._reread()
        self._warn_of_few()
        if self._trying is None or self._trying.done():
            self._trying = asyncio.ensure_future(self._try_the_resting())
        self._note()
        self._give_up_without_any()

    def _reread(self) -> None:
        try:
            if self.shared.reread():
                logger.info("The list of proxies has changed: %d by now", len(self.shared.pool))
        except BadInput as error:
            logger.warning("The list of proxies stays as it was: %s", error)

    def _warn_of_few(self) -> None:
        settings, ready = self.shared.settings, self.shared.pool.ready(self.clock())
        are_few = settings.rotator is None and ready < settings.least
        if are_few and not self._are_few:
            logger.warning(
                "%d of %d proxies can be used, fewer than MIN_PROXIES (%d): renew the list.",
                *(ready, len(self.shared.pool), settings.least),
            )
        self._are_few = are_few

    async def _try_the_resting(self) -> None:
        settings, pool = self.shared.settings, self.shared.pool
        resting = pool.resting(self.clock())
        if not settings.canary_url or not resting:
            return
        canary = registrable_domain(settings.canary_url)
        tried = await try_proxies(resting, settings.canary_url, verified=settings.verified)
        for one in tried:
            if one.fault:
                if pool.failed(one.proxy, one.fault, canary) is Blame.PROXY:
                    pool.blamed(one.proxy, self.clock(), one.fault, as_trial=True)
            elif pool.worked(one.proxy, self.clock(), canary):
                logger.info("Proxy %s works again", one.proxy)

    def _note(self) -> None:
        try:
            note_health(self.shared.settings.health_file, self.shared.pool, self.clock())
        except OSError as error:
            if not self._cannot_note:
                logger.warning("PROXY_HEALTH_FILE cannot be written: %s", error.strerror)
            self._cannot_note = True

    def _give_up_without_any(self) -> None:
        """End a crawl for which no proxy has worked for too long, or take hope again."""
        now, pool = self.clock(), self.shared.pool
        if self._none_since is None:
            if pool.serves_nobody(now):
                self._none_since = now
                logger.warning(
                    "No answer comes through the proxies now; the last said: %s",
                    pool.in_vain[-1].words,
                )
        elif pool.worked_since(self._none_since):
            self._none_since = None
            logger.info("Answers come through the proxies again")
        elif now - self._none_since >= self.wait_limit_seconds:
            logger.error(
                "No answer has come through the proxies for %.0f s: giving up for now",
                now - self._none_since,
            )
            assert self.crawler.engine is not None
            begin(self.crawler.engine.close_spider_async(reason=SITE_DOWN))
            self._clockwork.stop()

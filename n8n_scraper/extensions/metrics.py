"""Tell Prometheus how a crawl goes, on a port of its own, while it goes."""

from __future__ import annotations

import errno
import logging
import time
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured

from n8n_scraper import __version__
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.sourced import source_of_crawl
from n8n_scraper.crawl.working import worker_of
from n8n_scraper.metrics.metrics_settings import MetricsSettings
from n8n_scraper.metrics.of_crawl import CrawlSeen, DomainSeen, crawl_samples

if TYPE_CHECKING:
    from aiohttp import web
    from scrapy.crawler import Crawler

    from n8n_scraper.policies.pace.pace import Pace

logger = logging.getLogger(__name__)

_SHUTDOWN_SECONDS = 1.0
"""How long an answer that is under way may hold up the end of a crawl."""


class Metrics:
    """Reads the crawl at the moment at which it is asked, and keeps no figure of its own.

    A port that is taken costs one warning: whoever watches must not stop what is watched.

    Settings: `METRICS_PORT`, `METRICS_HOST`.
    """

    def __init__(self, crawler: Crawler, settings: MetricsSettings) -> None:
        self.crawler = crawler
        self.settings = settings
        self.worker = worker_of(crawler)
        self.paces = paces_of(crawler)
        self.started = time.time()
        self._runner: web.AppRunner | None = None
        crawler.signals.connect(self.spider_opened, signals.spider_opened)
        crawler.signals.connect(self.engine_stopped, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Listen where a port is set."""
        settings = MetricsSettings.from_settings(crawler.settings)
        if not settings.ports:
            raise NotConfigured
        return cls(crawler, settings)

    async def spider_opened(self) -> None:
        """Begin to answer, on the first of the ports that is free."""
        from aiohttp import web  # only a crawl that tells its metrics needs a server

        app = web.Application()
        app.router.add_get("/metrics", self.answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=_SHUTDOWN_SECONDS)
        await self._runner.setup()
        refusal: OSError | None = None
        for port in self.settings.ports:
            try:
                await web.TCPSite(self._runner, self.settings.host, port).start()
            except OSError as error:
                refusal = error
                if error.errno != errno.EADDRINUSE:
                    break
            else:
                logger.info("Prometheus finds the metrics at %s", self.settings.url(port))
                return
        logger.warning(
            "This crawl tells no metrics, because METRICS_PORT %s on %s cannot be had (%s): name "
            "a free one, or several as in 9410-9419, for the next",
            *(_in_words(self.settings.ports), self.settings.host, refusal and refusal.strerror),
        )

    async def engine_stopped(self) -> None:
        """Answer no more."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def answer(self, request: web.Request) -> web.Response:
        """Give everything as it is now."""
        from aiohttp import web

        from n8n_scraper.metrics.exposition import exposition

        samples = crawl_samples(self.seen(), self.crawler.stats.get_stats())
        text, content_type = exposition(samples, request.headers.get("Accept", ""))
        return web.Response(body=text, headers={"Content-Type": content_type})

    def seen(self) -> CrawlSeen:
        """Look at the crawl."""
        source, spider = source_of_crawl(self.crawler), str(self.crawler.spidercls.name)
        has_run = self.worker.run_id is not None
        now = self.paces.clock()
        return CrawlSeen(
            source=source.name if source else spider,
            spider=spider,
            version=__version__,
            run_id=self.worker.run_id,
            started=self.started,
            counts=self.worker.run.counts if has_run else None,
            domains=tuple(_seen(pace, now) for pace in self.paces.all()),
        )


def _seen(pace: Pace, now: float) -> DomainSeen:
    return DomainSeen(
        domain=pace.domain,
        requests=pace.stats.requests,
        waits=pace.stats.waits,
        wait_seconds=pace.stats.total_wait,
        tokens=pace.available(now),
        rate=pace.rate,
        left_alone=pace.circuit.leaves_alone,
    )


def _in_words(ports: range) -> str:
    return f"{ports[0]}" if len(ports) == 1 else f"{ports[0]}-{ports[-1]}"

"""Whom a crawl tells of its run: what is written down for them, and the ways by which it goes."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from n8n_scraper.core.errors import StoreError
from n8n_scraper.core.redis_settings import RedisSettings
from n8n_scraper.crawl.store import store_of
from n8n_scraper.etl.etl_settings import EtlSettings
from n8n_scraper.policies.alerts.alert_settings import AlertSettings
from n8n_scraper.reports.domains import NONE_ELSEWHERE

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from n8n_scraper.ledger.ledger import Listener
    from n8n_scraper.outbox.sending import Channel

logger = logging.getLogger(__name__)


def listener_of(crawler: Crawler) -> Listener | None:
    """Give what hears of the run and its items; None where there is no server to tell."""
    settings = EtlSettings.from_settings(crawler.settings)
    if not settings.in_use:
        return None
    from n8n_scraper.etl.telling import EtlListener

    return EtlListener(settings.patience_seconds)


def channels_of(settings: BaseSettings) -> list[Channel]:
    """Give the ways by which something is sent; none where nothing is to be told."""
    found: list[Channel] = []
    if (etl := EtlSettings.from_settings(settings)).in_use:
        from n8n_scraper.etl.channel import EtlChannel
        from n8n_scraper.etl.client import EtlClient

        found.append(EtlChannel(EtlClient(etl)))
    if (alerts := AlertSettings.from_settings(settings)).in_use:
        from n8n_scraper.alerts.channel import AlertChannel

        found += map(AlertChannel, alerts.addresses)
    return found


class Watch:
    """Looks whether something is wrong, as often as the settings say."""

    def __init__(self, crawler: Crawler) -> None:
        self.settings = AlertSettings.from_settings(crawler.settings)
        self.store = store_of(crawler)
        self._next_at = time.monotonic()
        shared = RedisSettings.from_settings(crawler.settings).address is not None
        # How domains stand in Redis is asked by `scrapy alerts check`.
        self._elsewhere = None if shared else NONE_ELSEWHERE

    async def look(self, *, also_coverage: bool = False) -> None:
        """Look now; coverage reads every item, and is looked at when a run has ended."""
        from n8n_scraper.alerts.checking import fields_with_bars, note_what_is_wrong
        from n8n_scraper.reports.watch import watch

        fields = fields_with_bars(self.settings) if also_coverage else None
        try:
            seen = await asyncio.to_thread(
                watch, self.store.database, fields=fields, elsewhere=self._elsewhere
            )
        except StoreError as error:  # whether it is lost, those find out who write
            logger.warning("Whether something is wrong cannot be looked at: %s", error)
            return
        await self.store.run(lambda session: note_what_is_wrong(session, seen, self.settings))

    def is_due(self) -> bool:
        """Whether it is time to look again; it is not again before the next is."""
        now = time.monotonic()
        if not self.settings.in_use or now < self._next_at:
            return False
        self._next_at = now + self.settings.check_seconds
        return True

"""Tell whoever looks from outside how far a crawl is: in its row, and in checkpoint documents."""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from n8n_scraper.core.signals import item_ended, run_started
from n8n_scraper.crawl.checkpoint_files import write
from n8n_scraper.crawl.checkpoint_settings import CheckpointSettings
from n8n_scraper.crawl.store import store_of
from n8n_scraper.crawl.working import worker_of
from n8n_scraper.extensions.progress import course_of
from n8n_scraper.ledger.noted import last_ended
from n8n_scraper.policies.run.progress import CrawlProgress, Every

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_CHECKPOINT_EVERY = 50  # items
_NOTE_EVERY = 5.0  # seconds
_SHARE_OF_TIME = 0.02
"""How much of the time counting may take: a run of a million items is counted less often."""


class Checkpoints:
    """Writes a checkpoint every fifty items and at the end, and notes the counts meanwhile.

    Both are for people and other programs to read: no crawl ever goes by them.
    Settings: `CHECKPOINT_DIR`.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.store = store_of(crawler)
        self.worker = worker_of(crawler)
        self.course = course_of(crawler)
        self.folder = CheckpointSettings.from_settings(crawler.settings).folder
        self._last_item_id: str | None = None
        self._fifty_more = Every(_CHECKPOINT_EVERY)
        self._can_write = True
        self._writing: list[asyncio.Future[None]] = []
        self._noting: asyncio.Future[object] | None = None
        self._note_at = 0.0
        self._clockwork = create_looping_call(self._note)
        # A disk may take its time; the crawl goes on meanwhile.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="checkpoints")
        connect = crawler.signals.connect
        connect(self.run_started, run_started)
        connect(self.item_ended, item_ended)
        connect(self.spider_closed, signals.spider_closed)
        connect(self.engine_stopped, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Listen to this crawl."""
        return cls(crawler)

    async def run_started(self) -> None:
        """Begin to count; what an earlier process of the run has done is not our doing."""
        run_id, done = self.worker.run.run_id, self.worker.run.counts.done
        self.course.begin(time.monotonic(), done)
        self._fifty_more.begin(done)
        if done:
            last = await self.store.run(lambda session: last_ended(session, run_id))
            self._last_item_id = last
        self._note()
        self._clockwork.start(_NOTE_EVERY, now=False)

    def item_ended(self, item_id: str) -> None:
        """Write a checkpoint when fifty more are through."""
        self._last_item_id = item_id
        if self._fifty_more.is_due(self.worker.run.counts.done):
            self._writing = [one for one in self._writing if not one.done()]
            self._writing.append(asyncio.ensure_future(self._write(self._progress())))

    def spider_closed(self) -> None:
        """Note nothing more: the run is being left."""
        if self._clockwork.running:
            self._clockwork.stop()

    async def engine_stopped(self) -> None:
        """Write the last checkpoint, when nothing can end any more."""
        if self._noting is not None:
            await self._noting
        if self.worker.run_id is not None:
            await asyncio.gather(*self._writing)
            await self._write(self._progress())
        self._thread.shutdown(wait=False)

    def _note(self) -> None:
        is_due = time.monotonic() >= self._note_at
        if is_due and (self._noting is None or self._noting.done()):
            self._noting = self.store.beside(self._count())

    async def _count(self) -> None:
        began = time.monotonic()
        await self.worker.note()
        now = time.monotonic()
        self._note_at = now + (now - began) / _SHARE_OF_TIME - _NOTE_EVERY

    async def _write(self, progress: CrawlProgress) -> None:
        loop, at = asyncio.get_running_loop(), datetime.now(UTC)
        last = self._last_item_id
        try:
            await loop.run_in_executor(self._thread, write, self.folder, progress, last, at)
        except OSError as error:
            if self._can_write:
                self._can_write = False
                logger.warning("No checkpoint can be written, the crawl goes on: %s", error)

    def _progress(self) -> CrawlProgress:
        return self.course.progress(time.monotonic(), self.worker.run.counts)

"""Give templates what their videos say, without holding up the crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from scrapy import signals

from n8n_scraper.crawl.store import CrawlStore, store_of
from n8n_scraper.crawl.working import worker_of
from n8n_scraper.extensions.run_lifecycle import BROKEN_OFF
from n8n_scraper.media.transcripts.beside import BesideTheCrawl
from n8n_scraper.media.transcripts.options import TranscriptSettings, When
from n8n_scraper.media.transcripts.video_host import VideoHost
from n8n_scraper.records import transcripts
from n8n_scraper.records.transcripts import Settled
from n8n_scraper.sources.n8n.item import Template, Transcript

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

    from n8n_scraper.ledger.worker import Worker

_COMPLETE = "finished"


class TranscriptsPipeline:
    """Attach to stored templates what is known of their videos, and see to the rest.

    With `later` the rest is noted for `scrapy transcripts`; with `crawl` it is also asked for
    while the crawl goes on, and attached when it comes.

    Settings: `TRANSCRIPTS`, `TRANSCRIPT_…`, `VIDEO_HOST_URL`.
    Stats: `transcripts/<outcome>`, and `transcripts/broken_off` when an error of our own has ended
    the asking: then the crawl is no success, whatever else it has brought.
    """

    def __init__(
        self, worker: Worker, store: CrawlStore, options: TranscriptSettings, crawler: Crawler
    ) -> None:
        self.worker = worker
        self.store = store
        self.options = options
        self.crawler = crawler
        self._beside: BesideTheCrawl | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the worker of this crawl, and hear its end."""
        options = TranscriptSettings.from_settings(crawler.settings)
        pipeline = cls(worker_of(crawler), store_of(crawler), options, crawler)
        crawler.signals.connect(pipeline.spider_closed, signals.spider_closed)
        return pipeline

    async def process_item(self, item: object) -> object:
        """See to the videos of a template that was just stored, and let other items pass."""
        if isinstance(item, Template) and item.videos and self.worker.run_id is not None:
            # The template itself is stored, whatever becomes of this.
            video_ids = [video.video_id for video in item.videos]
            await self.store.unless_lost(self._see_to(item, video_ids))
        return item

    async def spider_closed(self, spider: Spider, reason: str) -> None:
        """Let what is under way come, unless somebody wants us to leave."""
        if self._beside is not None:
            await self._beside.finish(self.options.wait_seconds if reason == _COMPLETE else 0.0)
            if self._beside.broke_off:
                self.crawler.stats.inc_value(BROKEN_OFF)

    async def _see_to(self, item: Template, video_ids: list[str]) -> None:
        settled: Settled = await self.store.run(
            lambda session: transcripts.settle_template(
                session, item.workflow_id, video_ids, note=self.options.when is not When.OFF
            )
        )
        if settled.transcripts is not None:
            item.observe("transcripts", settled.transcripts, transcripts.SOURCE)
        else:
            item.leave_out("transcripts", str(settled.reason))
        if self.options.when is When.CRAWL:
            self._ask_beside(settled.due)

    def _ask_beside(self, video_ids: list[str]) -> None:
        if self._beside is None:
            host = VideoHost(self.options)
            self._beside = BesideTheCrawl(host, self.store.database, self._count)
        self._beside.offer(video_ids)

    def _count(self, transcript: Transcript) -> None:
        self.crawler.stats.inc_value(f"transcripts/{transcript.outcome}")

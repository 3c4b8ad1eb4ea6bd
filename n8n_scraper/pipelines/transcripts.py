"""Give items what their videos say, without holding up the crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from scrapy import signals

from n8n_scraper.crawl.sourced import source_of_crawl
from n8n_scraper.crawl.store import CrawlStore, store_of
from n8n_scraper.crawl.working import worker_of
from n8n_scraper.extensions.run_lifecycle import BROKEN_OFF
from n8n_scraper.ledger.pace_store import DatabasePaceStore
from n8n_scraper.media.transcripts.beside import BesideTheCrawl
from n8n_scraper.media.transcripts.options import TranscriptSettings, When
from n8n_scraper.media.transcripts.video_host import VideoHost
from n8n_scraper.records import transcripts
from n8n_scraper.records.transcripts import Settled

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

    from n8n_scraper.core.item import Item
    from n8n_scraper.core.source import Source, Videos
    from n8n_scraper.core.transcript import Transcript
    from n8n_scraper.ledger.worker import Worker

_COMPLETE = "finished"


class TranscriptsPipeline:
    """Attach to stored items what is known of their videos, and see to the rest.

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
        """See to the videos of an item that was just stored, and let others pass."""
        source = source_of_crawl(self.crawler)
        if source is None or self.worker.run_id is None:
            return item
        kind = source.kind()
        videos = kind.videos
        if videos and isinstance(item, kind.item) and getattr(item, videos.named_in):
            # The item itself is stored, whatever becomes of this.
            await self.store.unless_lost(self._see_to(source, videos, item))
        return item

    async def spider_closed(self, spider: Spider, reason: str) -> None:
        """Let what is under way come, unless somebody wants us to leave."""
        if self._beside is not None:
            await self._beside.finish(self.options.wait_seconds if reason == _COMPLETE else 0.0)
            if self._beside.broke_off:
                self.crawler.stats.inc_value(BROKEN_OFF)

    async def _see_to(self, source: Source, videos: Videos, item: Item) -> None:
        record = item.model_dump(mode="json", include={videos.named_in})
        item_id, video_ids = str(source.id_of(item)), videos.ids(record[videos.named_in])
        note = self.options.when is not When.OFF
        settled: Settled = await self.store.run(
            lambda session: transcripts.settle_item(session, source, item_id, video_ids, note=note)
        )
        if settled.transcripts is not None:
            item.observe(videos.words_in, settled.transcripts, transcripts.FROM)
        else:
            item.leave_out(videos.words_in, str(settled.reason))
        if self.options.when is When.CRAWL:
            self._ask_beside(settled.due)

    def _ask_beside(self, video_ids: list[str]) -> None:
        if self._beside is None:
            host = VideoHost(self.options, DatabasePaceStore(self.store.database))
            self._beside = BesideTheCrawl(host, self.store.database, self._count)
        self._beside.offer(video_ids)

    def _count(self, transcript: Transcript) -> None:
        self.crawler.stats.inc_value(f"transcripts/{transcript.outcome}")

"""Transcripts of items that pass through."""

import asyncio
from pathlib import Path

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.utils.test import get_crawler

from n8n_scraper.core.transcript import Transcript
from n8n_scraper.crawl.store import CrawlStore
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.worker import Worker
from n8n_scraper.media.transcripts.options import TranscriptSettings
from n8n_scraper.media.transcripts.video_host import VideoHost
from n8n_scraper.pipelines.transcripts import TranscriptsPipeline
from n8n_scraper.sources.n8n.source import SOURCE
from n8n_scraper.testing.memory_ledger import MemoryLedger
from tests.unit.ledger.given import NEW, process
from tests.unit.making import template

WITH_A_VIDEO = {"description": "See https://youtu.be/abcdefghijk"}


@pytest.fixture
def broken_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """A video host on which an error of our own comes to light."""

    def fetch(self: VideoHost, video_id: str) -> Transcript:
        raise ZeroDivisionError("an error of our own")

    monkeypatch.setattr(VideoHost, "fetch", fetch)


class TemplatesSpider(Spider):
    name = "templates"
    source = SOURCE


def crawled(folder: Path) -> Crawler:
    """A crawl that came upon one video."""
    crawler = get_crawler(TemplatesSpider)
    store = CrawlStore(Database(f"sqlite:///{folder}/archive.db"), crawler)
    worker = Worker(MemoryLedger(), process())
    pipeline = TranscriptsPipeline(
        worker, store, TranscriptSettings.from_settings({"TRANSCRIPTS": "crawl"}), crawler
    )

    async def crawl() -> None:
        await worker.enter(NEW)
        await pipeline.process_item(template(**WITH_A_VIDEO))
        await pipeline.spider_closed(TemplatesSpider(), "finished")

    asyncio.run(crawl())
    store.database.close()
    return crawler


@pytest.mark.usefixtures("broken_host")
def test_an_error_of_our_own_while_asking_is_counted(tmp_path: Path) -> None:
    assert crawled(tmp_path).stats.get_value("transcripts/broken_off") == 1

"""What a crawl writes down for those who look from outside."""

import asyncio
import json
import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from scrapy.crawler import Crawler
from scrapy.utils.test import get_crawler

from n8n_scraper import settings as project
from n8n_scraper.core.dossier import Planned
from n8n_scraper.crawl.checkpoint_files import read_newest
from n8n_scraper.crawl.checkpoint_settings import CheckpointSettings
from n8n_scraper.crawl.store import store_of
from n8n_scraper.crawl.working import worker_of
from n8n_scraper.extensions.checkpoints import Checkpoints
from n8n_scraper.ledger.ledger import NewRun, State
from n8n_scraper.ledger.worker import Discovery

NEW = NewRun("workflows", "n8n", "https://n8n.io", {}, {}, {}, "scrapy crawl workflows")
Crawl = Callable[..., Crawler]


@pytest.fixture
def crawled(tmp_path: Path) -> Crawl:
    """Begin a crawl, let so many of its templates end, stop it; nothing is asked of any site."""

    def crawl(planned: int, ended: int, **settings: str) -> Crawler:
        values = {name: getattr(project, name) for name in dir(project) if name.isupper()}
        values |= {"ADDONS": {}, "DATABASE_PATIENCE": "0", "JOBDIR": str(tmp_path / "state")}
        values |= {"DATABASE_URL": f"sqlite:///{tmp_path}/a.db", **settings}
        crawler = get_crawler(settings_dict=values)
        asyncio.run(_crawl(crawler, planned, ended))
        return crawler

    return crawl


async def _crawl(crawler: Crawler, planned: int, ended: int) -> None:
    worker, checkpoints = worker_of(crawler), Checkpoints(crawler)
    await worker.begin(NEW)
    work = worker.work(8)
    assert await anext(work) is Discovery.BEGINS
    await worker.plan(Planned(str(number)) for number in range(planned))
    await worker.discovery_is_over()
    for _ in range(ended):
        dossier = await anext(work)
        await worker.fail(dossier.item_id, State.FAILED, "an error of our own")
    checkpoints.spider_closed()
    await checkpoints.engine_stopped()
    await asyncio.to_thread(store_of(crawler).database.close)


def test_a_checkpoint_is_written_for_every_fifty_and_at_the_end(crawled: Crawl) -> None:
    crawler = crawled(planned=110, ended=104)

    files = sorted(folder_of(crawler).glob("*.json"))
    assert [json.loads(file.read_text())["processed"] for file in files] == [50, 100, 104]
    newest = read_newest(folder_of(crawler))
    assert newest is not None
    assert (newest["failed"], newest["remaining"], newest["last_workflow_id"]) == (104, 6, "103")
    assert newest["eta_seconds"] is not None


def folder_of(crawler: Crawler) -> Path:
    return CheckpointSettings.from_settings(crawler.settings).folder


def test_a_stop_before_anything_was_processed_leaves_a_whole_checkpoint(crawled: Crawl) -> None:
    crawler = crawled(planned=5, ended=0)

    newest = read_newest(folder_of(crawler))
    assert newest is not None
    assert newest["processed"] == newest["successful"] == newest["failed"] == 0
    assert newest["last_workflow_id"] is None


def test_a_folder_that_cannot_be_written_is_told_once_and_stops_nothing(
    crawled: Crawl, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # Given a file where the folder should be
    (tmp_path / "taken").write_text("")

    with caplog.at_level(logging.WARNING):
        crawled(planned=60, ended=60, CHECKPOINT_DIR=f"{tmp_path}/taken")

    told = [one.message for one in caplog.records if "No checkpoint can be written" in one.message]
    assert len(told) == 1

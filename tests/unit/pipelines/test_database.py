"""What the pipeline of the database passes on."""

import asyncio

import pytest
from scrapy.utils.test import get_crawler

from n8n_scraper.crawl.store import CrawlStore
from n8n_scraper.crawl.working import NotStored
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.sql_ledger import SqlLedger
from n8n_scraper.pipelines.database import DatabasePipeline
from n8n_scraper.sources.n8n.source import SOURCE
from tests import templates
from tests.unit.ledger.given import silence
from tests.unit.ledger.test_worker import begun, joined
from tests.unit.sources.n8n.test_store import load, save, whole, without_workflow


def test_a_template_is_passed_on_as_it_is_stored(database: Database) -> None:
    # Given a whole template in the archive, of which this time the workflow could not be had
    save(database, whole())

    async def crawl() -> object:
        worker = await begun(SqlLedger(database), "7")
        (await anext(worker.work(1))).through = True
        pipeline = DatabasePipeline(SOURCE, worker, CrawlStore(database, get_crawler()), None)
        return await pipeline.process_item(without_workflow())

    # When it goes through the pipeline, then feeds get it with the workflow as well
    assert asyncio.run(crawl()) == load(database, "7")
    assert load(database, "7").workflow is not None


def test_a_template_that_another_worker_has_by_now_goes_no_further(database: Database) -> None:
    async def crawl() -> None:
        # Given a worker that slept while another took its template
        worker = await begun(SqlLedger(database), "7")
        (await anext(worker.work(1))).through = True
        silence(database)
        other = await joined(SqlLedger(database), worker)
        await anext(other.work(1))
        pipeline = DatabasePipeline(SOURCE, worker, CrawlStore(database, get_crawler()), None)

        # When the template comes, and when it comes once more, then no feed gets it
        for _ in range(2):
            with pytest.raises(NotStored):
                await pipeline.process_item(whole())

    asyncio.run(crawl())
    assert database.do(lambda session: templates.load(session, "7")) is None

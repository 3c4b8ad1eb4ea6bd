"""The supervisor of a run, beside a database that takes its time."""

import asyncio
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.utils.test import get_crawler
from sqlalchemy import event

from n8n_scraper import settings as project
from n8n_scraper.core.item import Outcome
from n8n_scraper.crawl.store import store_of
from n8n_scraper.crawl.working import worker_of
from n8n_scraper.extensions.run_lifecycle import RunLifecycle
from n8n_scraper.ledger import runs
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.jobdir import JobDirectory
from n8n_scraper.ledger.ledger import NewRun, RunStatus
from n8n_scraper.ledger.worker import Discovery
from n8n_scraper.sources.n8n.spider import WorkflowsSpider
from tests.unit.ledger.given import a_run, close, end

pytestmark = pytest.mark.usefixtures("sqlite_url")

NEW = NewRun("workflows", "n8n", "https://n8n.io", {}, {}, {}, "scrapy crawl workflows")


def crawl_of(tmp_path: Path, **more: object) -> Crawler:
    """A crawl of the project's that has not begun."""
    values = {name: getattr(project, name) for name in dir(project) if name.isupper()}
    values |= {
        "ADDONS": {},
        "DATABASE_URL": f"sqlite:///{tmp_path}/archive.db",
        "DATABASE_PATIENCE": "0",
    }
    return get_crawler(WorkflowsSpider, settings_dict=values | more)


@pytest.fixture
def crawler(tmp_path: Path) -> Crawler:
    return crawl_of(tmp_path)


def test_renewals_do_not_pile_up_while_the_database_is_busy(crawler: Crawler) -> None:
    # Given a database whose thread is busy for as long as many renewals are due
    worker, database, done = worker_of(crawler), store_of(crawler).database, threading.Event()
    statements: list[str] = []

    async def crawl() -> None:
        lifecycle = RunLifecycle(crawler)
        worker.process = replace(worker.process, lease_seconds=0.03)
        await worker.begin(NEW)
        event.listen(
            database.engine,
            "before_cursor_execute",
            lambda *given: statements.append(given[2]),
        )
        busy = asyncio.ensure_future(database.run(lambda _: done.wait()))
        await asyncio.sleep(0.3)  # the heartbeat beats in real time
        stopped = asyncio.ensure_future(lifecycle.engine_stopped())
        await asyncio.sleep(0)  # it beats no more
        done.set()
        await busy
        await stopped

    asyncio.run(crawl())

    # Then one of them waited for its turn
    renewed = "UPDATE scrape_workers SET lease_until="
    renewals = [one for one in statements if one.startswith(renewed) and "lease_until >" in one]
    assert len(renewals) == 1


def test_the_crawl_goes_on_while_the_last_transaction_ends(crawler: Crawler) -> None:
    database, done = store_of(crawler).database, threading.Event()

    async def stop() -> int:
        lifecycle, ticks = RunLifecycle(crawler), 0
        last = asyncio.ensure_future(database.run(lambda _: done.wait()))
        stopped = asyncio.ensure_future(lifecycle.engine_stopped())
        while not stopped.done():
            await asyncio.sleep(0.01)
            ticks += 1
            if ticks == 10:
                done.set()
        await last
        return ticks

    assert asyncio.run(stop()) >= 10


def test_a_warning_is_among_the_last_words(
    crawler: Crawler, caplog: pytest.LogCaptureFixture
) -> None:
    async def end() -> None:
        lifecycle, worker = RunLifecycle(crawler), worker_of(crawler)
        await worker.begin(NEW)
        assert await anext(worker.work(1)) is Discovery.BEGINS
        await worker.discovery_is_over(warning="The list is short.")
        await lifecycle.spider_closed(Spider("any"), "finished")
        await lifecycle.engine_stopped()

    with caplog.at_level("INFO"):
        asyncio.run(end())

    said = [(one.levelname, one.message) for one in caplog.records if one.name.startswith("n8n")]
    assert said[0] == ("WARNING", "The list is short.")
    assert said[1] == ("INFO", "0 of 0 templates ended: none.")


def test_a_resumed_crawl_says_what_its_new_feed_does_not_hold(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # Given a run of which an earlier process has ended one of two templates
    job = JobDirectory(str(tmp_path / "state"))
    database = Database(f"sqlite:///{tmp_path}/archive.db")
    run_id = a_run(database, "1", "2", new=NEW)
    close(database, run_id, "1", Outcome.COMPLETE)
    end(database, run_id, RunStatus.STOPPED)
    database.close()
    job.tie(run_id, "any")
    feeds = {f"{tmp_path}/a.jsonl": {"format": "jsonl", "overwrite": True}}
    crawler = crawl_of(tmp_path, FEEDS=feeds, JOBDIR=str(job.path))

    async def stop() -> None:
        lifecycle = RunLifecycle(crawler)
        await worker_of(crawler).begin(NEW, job)
        await lifecycle.spider_closed(Spider("any"), "shutdown")
        await lifecycle.engine_stopped()

    # When the next one ends
    with caplog.at_level("INFO"):
        asyncio.run(stop())

    # Then its last words tell that, and how to go on
    said = [one.message for one in caplog.records if one.name.startswith("n8n")]
    assert "The feed lacks 1 template that ended" in said[-3]
    assert said[-1].startswith("Stopped with 1 left. To go on: scrapy crawl workflows")


@pytest.mark.parametrize("is_known", [True, False])
def test_a_directory_whose_run_is_not_in_the_database_is_warned_of(
    is_known: bool, crawler: Crawler, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    job, database = JobDirectory(f"{tmp_path}/state"), store_of(crawler).database
    known = database.do(lambda session: runs.enter(session, NEW))
    job.tie(known if is_known else "20260101T000000-beef", database.name)

    asyncio.run(worker_of(crawler).begin(NEW, job))

    warned = [one.message for one in caplog.records if one.levelname == "WARNING"]
    assert [("20260101T000000-beef" in one, "a new run begins" in one) for one in warned] == (
        [] if is_known else [(True, True)]
    )

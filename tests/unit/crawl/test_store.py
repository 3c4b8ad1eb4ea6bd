"""The database of a crawl: its loss is told once, and ends the crawl for everybody."""

import asyncio
import logging
from collections.abc import Iterator

import pytest
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.utils.test import get_crawler
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import StoreLost, WorkedOn
from n8n_scraper.crawl.store import CrawlStore
from n8n_scraper.ledger.database import Database


class Engine:
    """Stands in the place of Scrapy's: hears only that the spider is to be closed."""

    def __init__(self) -> None:
        self.spider = object()
        self.closed: list[str] = []

    async def close_spider_async(self, *, reason: str) -> None:
        self.closed.append(reason)


@pytest.fixture
def engine() -> Engine:
    return Engine()


@pytest.fixture
def store(sqlite_url: str, engine: Engine) -> Iterator[CrawlStore]:
    crawler: Crawler = get_crawler()
    crawler.engine = engine  # type: ignore[assignment]
    database = Database(sqlite_url, patience_seconds=0)
    yield CrawlStore(database, crawler)
    database.close()


def lose(_: Session) -> None:
    raise StoreLost("The database is away.")


async def turns() -> None:
    """Let begin what was only arranged."""
    for _ in range(5):
        await asyncio.sleep(0)


def test_what_works_gives_its_result(store: CrawlStore) -> None:
    assert asyncio.run(store.run(lambda _: 7)) == 7
    assert asyncio.run(store.unless_lost(store.run(lambda _: 7))) == 7


def test_a_loss_is_told_once_and_closes_the_spider_for_everybody(
    store: CrawlStore, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    async def crawl() -> None:
        for work in (lose, lambda _: 7):  # to wait for it once is enough
            with pytest.raises(CloseSpider) as ended:
                await store.run(work)
            assert ended.value.reason == "store_lost"
        assert await store.unless_lost(store.run(lambda _: 7)) is None
        await turns()

    with caplog.at_level(logging.ERROR):
        asyncio.run(crawl())

    assert [one.message for one in caplog.records] == ["The database is away."]
    assert engine.closed == ["store_lost"]


def test_a_directory_that_another_machine_works_in_is_no_lost_database(store: CrawlStore) -> None:
    def refuse(_: Session) -> None:
        raise WorkedOn("2026-ab", "elsewhere:4711:x")

    with pytest.raises(CloseSpider):
        asyncio.run(store.run(refuse))

    assert store.reason_of_loss == "worked_on"


def test_what_goes_on_beside_ends_before_the_run_does_and_loses_nothing_silently(
    store: CrawlStore, engine: Engine
) -> None:
    done: list[str] = []

    async def work() -> None:
        await store.run(lambda _: None)
        done.append("one")

    async def crawl() -> None:
        store.beside(work())
        store.beside(store.run(lose))
        await store.settle()
        await turns()

    asyncio.run(crawl())

    assert done == ["one"]
    assert engine.closed == ["store_lost"]


def test_a_spider_that_is_closed_for_another_reason_is_not_taken_for_a_loss(
    store: CrawlStore,
) -> None:
    async def ends() -> None:
        raise CloseSpider("enough")

    with pytest.raises(CloseSpider) as ended:
        asyncio.run(store.unless_lost(ends()))
    assert ended.value.reason == "enough"


def test_a_spider_that_is_closed_already_is_not_closed_again(
    store: CrawlStore, engine: Engine
) -> None:
    async def crawl() -> None:
        engine.spider = None  # type: ignore[assignment]
        store.close_spider("too late")
        await turns()

    asyncio.run(crawl())

    assert engine.closed == []

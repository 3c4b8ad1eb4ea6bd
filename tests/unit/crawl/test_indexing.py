"""What a crawl stores is found a moment later, and what a killed one has left at the next start."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.utils.test import get_crawler
from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import FoundBy
from n8n_scraper.core.source import Source
from n8n_scraper.crawl import indexing as module
from n8n_scraper.crawl.indexing import Indexing
from n8n_scraper.crawl.store import CrawlStore
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import items
from n8n_scraper.search import index
from n8n_scraper.search.found import Question
from n8n_scraper.search.searching import find
from tests.toy.making import quote


class Crawl:
    """As much of a crawl as indexes: a store, and the end of its spider."""

    def __init__(self, source: Source, database: Database) -> None:
        self.source = source
        self.database = database
        crawler = get_crawler()
        crawler.engine = SimpleNamespace(_slot=None, spider=None)  # which nobody has stopped
        self.store = CrawlStore(database, crawler)
        self.indexing = Indexing(source, self.store, crawler)

    async def begin(self) -> None:
        """Enter a run, and let all end that begins with it."""
        self.indexing.run_started()
        await self.store.settle()

    async def take(self, *quote_ids: str) -> None:
        """Store quotations, and have them indexed."""
        for one in quote_ids:
            self.indexing.take(one, store(self.database, self.source, one))

    async def end(self) -> None:
        """Let the spider be closed by a person, and all end that goes on beside."""
        await self._close("shutdown")

    async def finish(self) -> None:
        """The same, with nothing left to be done."""
        await self._close("finished")

    async def _close(self, reason: str) -> None:
        self.indexing.spider_closed(reason)
        await self.store.settle()

    @property
    def found(self) -> int:
        """How many quotations a search finds."""
        return find(self.database, self.source, Question()).total


def store(database: Database, source: Source, quote_id: str) -> FoundBy:
    item = quote(quote_id)
    return database.do(lambda session: items.save(session, source, item, [])).found_by


@pytest.fixture
def crawl(quotes: Source, sqlite_url: str) -> Iterator[Crawl]:
    with closing(Database(sqlite_url, patience_seconds=0)) as database:
        yield Crawl(quotes, database)


def run(*steps: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def all_of_them() -> None:
        for step in steps:
            await step()

    asyncio.run(all_of_them())


def test_what_has_come_is_indexed_when_the_spider_is_closed(crawl: Crawl) -> None:
    async def some_come() -> None:
        await crawl.take("q1", "q2")
        assert crawl.found == 0

    run(some_come, crawl.end)

    assert crawl.found == 2


def test_nobody_waits_for_others_for_longer_than_a_moment(
    crawl: Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONGEST_WAIT_SECONDS", 0.0)

    async def one_comes() -> None:
        await crawl.take("q1")
        await asyncio.sleep(0.01)  # the moment is over
        await crawl.store.settle()

    run(one_comes)

    assert crawl.found == 1


def test_a_block_that_is_full_waits_for_nothing(
    crawl: Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ITEMS_A_BLOCK", 3)
    monkeypatch.setattr(module, "LONGEST_WAIT_SECONDS", 3600.0)

    async def four_come() -> None:
        await crawl.take("q1", "q2", "q3", "q4")
        await crawl.store.settle()

    run(four_come)

    assert crawl.found == 3


def test_what_an_earlier_crawl_has_left_is_indexed_at_the_start_and_told(
    crawl: Crawl, caplog: pytest.LogCaptureFixture
) -> None:
    for one in ("q1", "q2"):
        store(crawl.database, crawl.source, one)

    with caplog.at_level(logging.INFO):
        run(crawl.begin, crawl.begin, crawl.finish)

    assert crawl.found == 2
    told = ["Indexed 2 quotes that another crawl had stored: a search finds them now"]
    assert caplog.messages == told


def test_what_another_worker_has_left_meanwhile_is_indexed_by_who_finishes(crawl: Crawl) -> None:
    async def another_stores_one_and_is_killed() -> None:
        store(crawl.database, crawl.source, "q1")

    async def one_comes() -> None:
        await crawl.take("q2")

    run(crawl.begin, another_stores_one_and_is_killed, one_comes)

    # One that is stopped does no more than its own, to be through soon
    run(crawl.end)
    assert crawl.found == 1
    run(crawl.finish)
    assert crawl.found == 2


def test_a_crawl_that_enters_no_run_makes_no_archive(quotes: Source, tmp_path: Path) -> None:
    # As `scrapy parse` does
    file = tmp_path / "none.db"

    with closing(Database(f"sqlite:///{file}", patience_seconds=0)) as database:
        run(Crawl(quotes, database).finish)

    assert not file.exists()


def test_an_error_of_our_own_is_told_and_ends_nothing(
    crawl: Crawl, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(session: Session, source: Source, entries: object) -> None:
        raise ValueError("in the middle")

    async def one_comes() -> None:
        await crawl.take("q1")

    with monkeypatch.context() as patched, caplog.at_level(logging.ERROR):
        patched.setattr(index, "put", broken)
        run(one_comes, crawl.end)

    assert "quotes could not be indexed" in caplog.text
    assert "scrapy search --rebuild" in caplog.text
    assert crawl.store.lost is None
    # ... and the next crawl makes up for it
    run(crawl.begin, crawl.end)
    assert crawl.found == 1

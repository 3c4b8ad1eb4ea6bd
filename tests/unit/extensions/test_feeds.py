"""Feeds as the crawl writes them."""

from pathlib import Path
from typing import Any

import pytest
from scrapy import Spider
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from n8n_scraper.extensions.feeds import (
    FEED_LOST,
    TruthfulFeedExporter,
    replaced_feed,
)


def feeds(uri: object, kind: str, **options: Any) -> Settings:
    return Settings({"FEEDS": {uri: {"format": kind, **options}}})


def test_only_a_feed_that_is_replaced_is_begun_anew() -> None:
    assert replaced_feed(feeds("q.jsonl", "jsonlines", overwrite=True)) == "q.jsonl"
    assert replaced_feed(feeds("q.jsonl", "jsonlines", overwrite=False)) == ""


def test_an_item_that_no_feed_takes_is_counted_and_told_once_in_full(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # Given a feed that is open
    feeds_of_project = {"FEEDS": {tmp_path / "x.jsonl": {"format": "jsonlines"}}}
    crawler = get_crawler(settings_dict={**feeds_of_project, "REDACT": "replace"})
    exporter = TruthfulFeedExporter.from_crawler(crawler)
    spider = Spider("any")
    spider.crawler = crawler
    exporter.open_spider(spider)

    # When two things come that are no items
    for _ in range(2):
        exporter.item_scraped(object(), spider)

    # Then both are counted, and the log says once where it happened
    assert crawler.stats.get_value(FEED_LOST) == 2
    [told] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert told.exc_info
    exporter.slots[0].file.close()

"""Build a pipeline as a crawl of templates does."""

from typing import Any

from scrapy.crawler import Crawler
from scrapy.utils.misc import build_from_crawler
from scrapy.utils.test import get_crawler

from n8n_scraper.sources.n8n.spider import WorkflowsSpider


def crawler_of_templates(**settings: object) -> Crawler:
    """A crawler that would crawl them, with stats."""
    crawler = get_crawler(WorkflowsSpider, settings_dict=settings)
    crawler.stats = crawler.stats or build_from_crawler(crawler.settings["STATS_CLASS"], crawler)
    return crawler


def built(pipeline: type, **settings: object) -> Any:
    """The pipeline of such a crawl."""
    return build_from_crawler(pipeline, crawler_of_templates(**settings))

"""What the components of one crawl share."""

import gc
import weakref

from scrapy.crawler import Crawler
from scrapy.utils.test import get_crawler

from n8n_scraper.crawl.per_crawler import PerCrawler


class KnowsItsCrawler:
    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler


def test_all_of_one_crawl_get_the_same_and_those_of_another_one_their_own() -> None:
    shared = PerCrawler(KnowsItsCrawler)
    one, other = get_crawler(), get_crawler()

    assert shared(one) is shared(one)
    assert shared(one) is not shared(other)
    assert shared(one) is not PerCrawler(KnowsItsCrawler)(one)


def test_what_knows_its_crawler_goes_with_it() -> None:
    shared = PerCrawler(KnowsItsCrawler)
    crawler = get_crawler()
    gone = weakref.ref(shared(crawler))

    del crawler
    gc.collect()

    assert gone() is None

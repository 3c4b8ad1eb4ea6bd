"""What counts at the end of a spider that keeps no archive."""

from scrapy import signals
from scrapy.spiders import Spider
from scrapy.utils.test import get_crawler

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.extensions.feeds import FEED_LOST
from n8n_scraper.extensions.plain_end import PlainEnd


def ended(*, raised: int = 0, **stats: int) -> object:
    """The status after so many callbacks that raised, and with such stats."""
    crawler = get_crawler()
    crawler._apply_settings()
    end = PlainEnd.from_crawler(crawler)
    spider = Spider("any")
    for _ in range(raised):
        crawler.signals.send_catch_log(signals.spider_error, spider=spider)
    for name, value in stats.items():
        crawler.stats.set_value(name, value)
    crawler.signals.send_catch_log(signals.spider_closed, spider=spider, reason="finished")
    end.engine_stopped()
    return crawler.stats.get_value("exit_status")


def test_a_spider_that_finished_without_an_error_is_well() -> None:
    assert ended() == ExitStatus.DONE


def test_an_error_in_the_log_or_in_its_own_code_is_none_that_is_forgotten() -> None:
    assert ended(**{"log_count/ERROR": 1}) == ExitStatus.FAILURES
    assert ended(raised=1) == ExitStatus.FAILURES  # with a log that leaves errors out


def test_a_lost_feed_is_an_error_in_the_log_and_has_its_own_status() -> None:
    lost = {FEED_LOST: 1, "log_count/ERROR": 1}

    assert ended(**lost) == ExitStatus.FEED_LOST
    assert ended(raised=1, **lost) == ExitStatus.FAILURES

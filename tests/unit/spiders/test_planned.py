"""Whether a site learns how to reach whoever asks it."""

import pytest
from scrapy.crawler import Crawler
from scrapy.settings import Settings

from n8n_scraper.addon import ScraperAddon
from n8n_scraper.sources.n8n.spider import WorkflowsSpider


def crawler(**values: str) -> Crawler:
    site = {
        "N8N_SITE_URL": "https://n8n.io",
        "N8N_API_URL": "https://api.n8n.io",
        "CONTACT": "",
        "USER_AGENT": "",
    }
    given = Settings(site | values)
    ScraperAddon().update_settings(given)
    return Crawler(WorkflowsSpider, given)


@pytest.mark.parametrize(
    ("values", "anonymous"),
    [
        ({}, True),
        ({"CONTACT": "me@example.org"}, False),
        ({"USER_AGENT": "my own words"}, False),
        ({"N8N_SITE_URL": "http://127.0.0.1:8808"}, False),
    ],
)
def test_only_the_real_site_has_to_know(values: dict[str, str], anonymous: bool) -> None:
    spider = WorkflowsSpider.from_crawler(crawler(**values))

    assert spider.is_anonymous is anonymous

"""A redirect is followed within the domain that was asked."""

import pytest
from scrapy import Request, Spider
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

from n8n_scraper.crawl.judgement import LED_TO, UnusableAnswer, judge
from n8n_scraper.middlewares.redirects import (
    DomesticMetaRefreshMiddleware,
    DomesticRedirectMiddleware,
)
from n8n_scraper.policies.failure.category import Category


def redirected(asked: str, location: str) -> tuple[Request, Request | Response]:
    crawler = get_crawler()
    crawler.spider = Spider("any")
    request = Request(asked)
    response = Response(asked, status=301, headers={"Location": location})
    middleware = DomesticRedirectMiddleware.from_crawler(crawler)
    return request, middleware.process_response(request, response)


@pytest.mark.parametrize(
    ("asked", "location", "led_to"),
    [
        ("https://n8n.io/workflows/1", "/workflows/1/", "https://n8n.io/workflows/1/"),
        ("https://n8n.io/robots.txt", "https://www.n8n.io/robots.txt", None),
        ("https://n8n.io/api/x", "https://api.n8n.io/api/x", None),
        ("http://127.0.0.1:8808/a", "http://127.0.0.1:8809/a", None),
        ("http://localhost:8808/a", "/b", "http://localhost:8808/b"),
    ],
)
def test_within_the_domain_it_is_followed(asked: str, location: str, led_to: str | None) -> None:
    _, outcome = redirected(asked, location)

    assert isinstance(outcome, Request)
    assert outcome.url == (led_to or location)


@pytest.mark.parametrize(
    ("asked", "location"),
    [
        ("https://n8n.io/workflows/1/", "https://n8n.io.evil.example/workflows/1/"),
        ("https://n8n.io/workflows/1/", "//evil.example/workflows/1/"),
        ("https://n8n.io/workflows/1/", "https://n8n.io@evil.example/"),
        ("https://n8n.io/workflows/1/", "https:\\\\evil.example/"),
        ("https://n8n.io/sitemap_index.xml", "http://169.254.169.254/latest/meta-data/"),
        ("https://api.n8n.io/api/templates/workflows/1", "http://127.0.0.1/"),
        ("http://127.0.0.1:8808/a", "http://localhost:8808/a"),
    ],
)
def test_out_of_the_domain_it_is_an_answer_of_its_own_kind(asked: str, location: str) -> None:
    request, outcome = redirected(asked, location)

    assert isinstance(outcome, Response)
    assert judge(request, outcome) is Category.OFF_SITE


def test_where_it_wanted_to_lead_is_told() -> None:
    request, outcome = redirected("https://n8n.io/workflows/1/", "https://evil.example/1")
    assert isinstance(outcome, Response)

    refused = UnusableAnswer(Category.OFF_SITE, request, outcome)

    assert str(refused) == "status 301, but it leads to another site, https://evil.example/1"


def test_a_page_that_refreshes_itself_into_another_site_is_not_followed() -> None:
    crawler = get_crawler()
    crawler.spider = Spider("any")
    head = (
        b'<html><head><meta http-equiv="refresh" content="0;url=http://127.0.0.1/"></head></html>'
    )
    request = Request("https://n8n.io/workflows/1/")
    response = HtmlResponse(request.url, body=head, encoding="utf-8")

    outcome = DomesticMetaRefreshMiddleware.from_crawler(crawler).process_response(
        request, response
    )

    assert outcome is response
    assert request.meta[LED_TO] == "http://127.0.0.1/"

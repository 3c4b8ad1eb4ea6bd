"""Whose failure it is that a browser brought no page."""

import pytest
from playwright.async_api import Error
from playwright.async_api import TimeoutError as TookTooLong

from n8n_scraper.core.errors import ToolFailed
from n8n_scraper.crawl.tools.blame import blamed
from n8n_scraper.policies.failure.category import Category, classify

URL = "https://site.example/"


@pytest.mark.parametrize(
    ("words", "category"),
    [
        ("Page.goto: net::ERR_NAME_NOT_RESOLVED at https://site.example/", Category.DNS),
        ("Page.goto: net::ERR_CONNECTION_REFUSED at …", Category.NETWORK),
        ("Page.goto: net::ERR_CONNECTION_TIMED_OUT at …", Category.TIMEOUT),
        ("Page.goto: net::ERR_CERT_DATE_INVALID at …", Category.NETWORK),
        ("Page.goto: net::ERR_EMPTY_RESPONSE at …", Category.NETWORK),
        ("Page.goto: net::ERR_PROXY_CONNECTION_FAILED at …", Category.NETWORK),
        ("Page.goto: net::ERR_INSUFFICIENT_RESOURCES at …", Category.TOOL),
        ("Page.goto: net::ERR_ABORTED at …", Category.TOOL),
        ("Page.content: Target page, context or browser has been closed", Category.TOOL),
        ("Page.goto: Page crashed", Category.TOOL),
    ],
)
def test_the_site_is_blamed_for_its_own_only(words: str, category: Category) -> None:
    assert classify(exception=blamed(Error(words), URL)) is category


def test_a_site_that_says_nothing_is_silent() -> None:
    error = blamed(TookTooLong("Page.goto: Timeout 1000ms exceeded."), URL)

    assert classify(exception=error) is Category.TIMEOUT


def test_where_we_have_not_let_it_go_is_a_private_address() -> None:
    error = blamed(Error("net::ERR_ADDRESS_UNREACHABLE"), URL, refused="http://10.0.0.1/")

    assert classify(exception=error) is Category.PRIVATE_ADDRESS


def test_a_file_to_be_downloaded_is_not_asked_for_again() -> None:
    error = blamed(Error("Page.goto: net::ERR_ABORTED at …"), URL)

    assert isinstance(error, ToolFailed)
    assert error.for_good

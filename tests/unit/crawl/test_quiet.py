"""What a normal log leaves out."""

import logging

import pytest
from scrapy.exceptions import CannotResolveHostError, DownloadConnectionRefusedError

from n8n_scraper.core.errors import ProxyFailed
from n8n_scraper.crawl.quiet import tell_an_ill_site_in_one_line


def record_of(error: Exception) -> logging.LogRecord:
    raised = (type(error), error, None)
    record = logging.LogRecord("any", logging.ERROR, "", 1, "Error", None, raised)
    assert tell_an_ill_site_in_one_line(record)
    return record


@pytest.mark.parametrize(
    "error", [CannotResolveHostError("no such host"), DownloadConnectionRefusedError("refused")]
)
def test_a_site_that_cannot_be_reached_is_no_traceback(error: Exception) -> None:
    assert record_of(error).exc_info is None


def test_an_error_that_says_it_all_is_told_in_its_words() -> None:
    record = record_of(ProxyFailed("no answer through a proxy in 5 attempts: 100% refused"))

    assert record.exc_info is None
    assert record.getMessage() == "Error: no answer through a proxy in 5 attempts: 100% refused"


def test_an_error_of_our_own_is_one() -> None:
    assert record_of(ValueError("ours")).exc_info is not None

"""Judging an answer."""

from scrapy import Request
from scrapy.http import Response

from n8n_scraper.crawl.judgement import judge
from n8n_scraper.policies.failure.category import Category

ADDRESS = "https://n8n.io/workflows/1"


def judged(body: bytes, headers: dict[bytes, bytes], expects: str = "json") -> Category | None:
    request = Request(ADDRESS, meta={"expects": expects})
    return judge(request, Response(ADDRESS, headers=headers, body=body))


def test_what_a_header_says_counts_in_whatever_case_its_name_is_written() -> None:
    assert judged(b"{}", {b"CONTENT-LENGTH": b"5000"}) is Category.TRUNCATED
    assert judged(b"{}", {b"content-length": b"2"}) is None


def test_a_header_with_bytes_of_any_kind_stands_in_nobodys_way() -> None:
    assert judged(b"{}", {b"X-Note": b"\xe9t\xe9 \xff"}) is None

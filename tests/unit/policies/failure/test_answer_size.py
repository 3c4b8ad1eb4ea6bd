"""An answer has a bound by its kind, in bytes and in parts."""

import json

import pytest

from n8n_scraper.policies.failure.answer_size import MOST_PARTS, has_too_many_parts, most_bytes
from n8n_scraper.policies.failure.body import body_facts
from n8n_scraper.policies.failure.category import Category, classify


@pytest.mark.parametrize(
    ("expects", "path", "megabytes"),
    [
        ("json", "/api/templates/workflows/1", 8),
        ("page", "/workflows/1-a/", 8),
        ("xml", "/sitemap_index.xml", 64),
        ("any", "/robots.txt", 0.5),
    ],
)
def test_each_kind_of_answer_has_its_bound(expects: str, path: str, megabytes: float) -> None:
    assert most_bytes(expects, path) == megabytes * 1024 * 1024


def test_what_nothing_is_known_of_has_the_bound_of_all_downloads() -> None:
    assert most_bytes("any", "/a.png") is None


@pytest.mark.parametrize(
    ("expects", "body"),
    [
        ("json", b"[" + b"[]," * MOST_PARTS + b"[]]"),
        ("json", b"[" * (MOST_PARTS + 1)),
        ("json", b"[" + b"0," * MOST_PARTS + b"0]"),
        ("page", b"<p>" * (MOST_PARTS + 1) + b"</html>"),
        ("page", b"<p " + b"a= " * (MOST_PARTS + 1) + b"></html>"),
    ],
)
def test_an_answer_of_too_many_parts_is_not_parsed(expects: str, body: bytes) -> None:
    assert has_too_many_parts(body, expects)
    assert classify(status=200, body=body_facts(body, {}, expects=expects)) is Category.TOO_LARGE


def test_a_long_text_is_one_part() -> None:
    body = json.dumps({"description": "a" * 4_000_000}).encode()

    assert not has_too_many_parts(body, "json")
    assert classify(status=200, body=body_facts(body, {}, expects="json")) is None

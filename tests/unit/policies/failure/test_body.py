"""What an answer's bytes prove."""

from __future__ import annotations

import gzip
import json
import sys
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.failure.body import BodyFacts, Expects, body_facts

HEALTHY = BodyFacts()
EMPTY = BodyFacts(empty=True)
UNDECODABLE = BodyFacts(undecodable=True)
NOT_JSON = BodyFacts(not_json=True)
NOT_XML = BodyFacts(not_xml=True)
TRUNCATED = BodyFacts(truncated=True)

PAGE = b"<!doctype html><html><head><title>Templates</title></head><body>Text</body></html>"
SITEMAP = b'<?xml version="1.0"?><urlset><url><loc>https://n8n.io/</loc></url></urlset>'


@pytest.mark.parametrize(
    ("body", "facts"),
    [
        (b'{"id": 1}', HEALTHY),
        (b"[]", HEALTHY),
        (b"\xef\xbb\xbf{}", HEALTHY),  # a byte order mark
        ('{"title": "Grüße 👋"}'.encode(), HEALTHY),
        (b'{"title": "\\ud83d"}', HEALTHY),  # a lone surrogate, escaped
        ('{"a": 1}'.encode("utf-16"), HEALTHY),
        (b'{"a": 1, "a": 2}', HEALTHY),
        (b'{"error": "captcha required: Just a moment..."}', HEALTHY),
        (b"[" * 100_000 + b"]" * 100_000, HEALTHY),  # deep, but not wrong
        (b"", EMPTY),
        (b" \n", EMPTY),
        (b"not found", NOT_JSON),
        (b"tru", NOT_JSON),  # the start of a literal, but no document of ours
        (PAGE, NOT_JSON),
        (b'{"id": 1} trailing', NOT_JSON),
        (b"{'id': 1}", NOT_JSON),
        (b'{"id": oops}', NOT_JSON),
        (b"1" * 5_000, NOT_JSON),  # longer than Python agrees to read
        (b'{"t": "\xff\xfe"}', UNDECODABLE),
        (gzip.compress(b"{}", mtime=0), UNDECODABLE),  # nobody unpacked it
        (b"{", TRUNCATED),
        (b'{"id"', TRUNCATED),
        (b'{"id": ', TRUNCATED),
        (b'{"id": 12', TRUNCATED),
        (b'{"id": 1.', TRUNCATED),
        (b'{"id": -', TRUNCATED),
        (b'{"id": tr', TRUNCATED),
        (b'{"id": "half a te', TRUNCATED),
        (b'{"id": "a \\"quoted\\" te', TRUNCATED),
        (b'{"id": "half an escape \\', TRUNCATED),
        (b'{"id": "half an escape \\u12', TRUNCATED),
        (b'{"id": "half a character \xf0\x9f\x91', TRUNCATED),
    ],
)
def test_where_json_is_expected(body: bytes, facts: BodyFacts) -> None:
    assert body_facts(body, {"content-type": "application/json"}, expects="json") == facts


@pytest.mark.parametrize("before", [0, 1, 250, 499, 500, 10_001])
def test_a_number_longer_than_python_reads_is_no_json_wherever_it_stands(before: int) -> None:
    longest = sys.int_info.default_max_str_digits
    blanks = b" " * before

    facts = [
        body_facts(b"[%s%s]" % (blanks, b"7" * digits), {}, expects="json")
        for digits in (longest, longest + 1)
    ]

    assert facts == [HEALTHY, NOT_JSON]


@pytest.mark.parametrize(
    ("body", "content_type", "facts"),
    [
        (PAGE, "text/html", HEALTHY),
        (PAGE.removesuffix(b"</body></html>"), "text/html", HEALTHY),  # many never write it
        (b"plain words", "text/html", HEALTHY),
        (b"<p>stray byte \xff</p>", "text/html; charset=utf-8", HEALTHY),  # browsers shrug
        ("<p>wide</p>".encode("utf-16"), "text/html", HEALTHY),
        ("<p>wide</p>".encode("utf-16-le"), "text/html; charset='UTF-16LE'", HEALTHY),
        ("<p>wide</p>".encode("utf-16-le"), "text/html; charset=klingon", UNDECODABLE),
        (gzip.compress(PAGE, mtime=0), "text/html", UNDECODABLE),
        (b"PK\x03\x04 a zip file", "text/html", UNDECODABLE),
        (b"<p>\0\0\0</p>", "text/html", UNDECODABLE),
        (b"", "text/html", EMPTY),
    ],
)
def test_where_html_is_expected(body: bytes, content_type: str, facts: BodyFacts) -> None:
    assert body_facts(body, {"content-type": content_type}, expects="html") == facts


@pytest.mark.parametrize(
    ("body", "content_type", "facts"),
    [
        (SITEMAP, "application/xml", HEALTHY),
        (b"\xef\xbb\xbf" + SITEMAP, "application/xml", HEALTHY),
        (SITEMAP.decode().encode("utf-16"), "application/xml", HEALTHY),
        (b"<a>&undefined;</a>", "application/xml", HEALTHY),  # untidy, but not cut short
        (SITEMAP[:-5], "application/xml", TRUNCATED),
        (SITEMAP[:40], "application/xml", TRUNCATED),
        (PAGE, "application/xml", NOT_XML),
        (b"Not found", "application/xml", NOT_XML),
        (gzip.compress(SITEMAP, mtime=0), "application/xml", UNDECODABLE),
        (gzip.compress(SITEMAP, mtime=0), "application/gzip", HEALTHY),  # a packed sitemap
        (b"", "application/xml", EMPTY),
    ],
)
def test_where_xml_is_expected(body: bytes, content_type: str, facts: BodyFacts) -> None:
    assert body_facts(body, {"content-type": content_type}, expects="xml") == facts


@pytest.mark.parametrize(
    ("body", "headers", "truncated"),
    [
        (b"12345", {"content-length": "10"}, True),
        (b"12345", {"content-length": "5"}, False),
        (b"12345", {"content-length": "3"}, False),  # more than promised is not too little
        (b"12345", {}, False),
        (b"12345", {"content-length": "ten"}, False),  # no number, no evidence
        (b"12345", {"content-length": "-10"}, False),
        (b"12345", {"content-length": "9" * 5_000}, True),
        (b"12345", {"content-length": "10", "content-encoding": "gzip"}, False),
        (b"12345", {"content-length": "10", "content-encoding": "identity"}, True),
        (b"12345", {"content-length": "10", "transfer-encoding": "chunked"}, False),
        (b"", {"content-length": "10"}, True),
    ],
)
def test_a_length_that_promises_more_is_evidence(
    body: bytes, headers: dict[str, str], truncated: bool
) -> None:
    assert body_facts(body, headers, expects="any") == BodyFacts(truncated=truncated)


@pytest.mark.parametrize(
    ("body", "expects"), [(b'{"id": 1}', "json"), (PAGE, "html"), (SITEMAP, "xml")]
)
def test_a_whole_document_is_not_doubted_for_the_length_of_its_compressed_form(
    body: bytes, expects: Expects
) -> None:
    unpacked = {"content-length": str(len(body) + 24)}
    far_too_short = {"content-length": str(len(body) + 500)}

    assert not body_facts(body, unpacked, expects=expects).truncated
    assert body_facts(body, far_too_short, expects=expects).truncated


def test_nothing_may_be_right_where_anything_is_expected() -> None:
    assert body_facts(b"", {}, expects="any") == HEALTHY


documents = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(),
    ),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=10,
)


@given(
    document=st.one_of(st.lists(documents), st.dictionaries(st.text(), documents)),
    ascii_only=st.booleans(),
    share=st.floats(0, 1, exclude_max=True),
)
def test_json_cut_anywhere_is_truncated_and_never_something_else(
    document: object, ascii_only: bool, share: float
) -> None:
    body = json.dumps(document, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")

    cut = body_facts(body[: 1 + int(share * (len(body) - 1))], {}, expects="json")

    assert cut == TRUNCATED
    assert body_facts(body, {}, expects="json") == HEALTHY


LARGE_JSON = json.dumps([{"text": "\u00fc", "numbers": [1, 2.5, None]}] * 40_000).encode()
LARGE_XML = b"<urlset>" + b"<url><loc>https://n8n.io/</loc></url>" * 40_000 + b"</urlset>"


@pytest.mark.parametrize(
    ("body", "expects", "facts"),
    [
        (LARGE_JSON, "json", HEALTHY),
        (LARGE_JSON[:-1], "json", TRUNCATED),
        (LARGE_JSON[:-5_000], "json", TRUNCATED),
        (LARGE_JSON.replace(b"null", b'"\\ud83d"', 1), "json", HEALTHY),
        (b"<html>" + LARGE_JSON + b"</html>", "json", NOT_JSON),
        (LARGE_JSON.replace(b"null", b"nil", 1), "json", HEALTHY),  # its reader finds out
        (LARGE_XML, "xml", HEALTHY),
        (LARGE_XML + b"\n<!-- made at noon -->\n", "xml", HEALTHY),
        (LARGE_XML[:-1], "xml", TRUNCATED),
        (LARGE_XML[:-30], "xml", TRUNCATED),
    ],
    ids=range(10),
)
def test_of_a_large_answer_the_ends_are_looked_at(
    body: bytes, expects: Expects, facts: BodyFacts
) -> None:
    assert body_facts(body, {}, expects=expects) == facts


def test_judging_an_answer_builds_none_of_its_values() -> None:
    tracemalloc.start()
    try:
        body_facts(LARGE_JSON, {}, expects="json")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 3 * len(LARGE_JSON)


@given(
    body=st.one_of(st.binary(), st.text().map(str.encode)),
    headers=st.dictionaries(
        st.sampled_from(["content-type", "content-length", "content-encoding", "cf-mitigated"]),
        st.text(),
    ),
    expects=st.sampled_from(["json", "html", "xml", "any"]),
)
def test_any_bytes_have_an_answer(body: bytes, headers: dict[str, str], expects: Expects) -> None:
    assert isinstance(body_facts(body, headers, expects=expects), BodyFacts)


def test_a_page_of_a_site_that_always_ends_it_is_cut_short_without_its_end() -> None:
    assert body_facts(b"<html><p>half a", {}, expects="page").truncated
    assert not body_facts(b"<html><p>half a", {}, expects="html").truncated
    assert body_facts(b"<html><p>all of it</p></HTML>\n", {}, expects="page") == HEALTHY


def test_xml_that_is_nested_without_end_is_not_followed_down() -> None:
    body = b"<urlset>" + b"<a>" * 100_000

    facts = body_facts(body, {}, expects="xml")

    assert facts == BodyFacts()  # its reader refuses it with the reason

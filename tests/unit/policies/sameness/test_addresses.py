"""Addresses that lead to one page."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from n8n_scraper.policies.sameness.addresses import page_at

PAGE = "example.org/events/lamplight?id=7"


@given(
    st.sampled_from(["http://", "https://", "HTTPS://"]),
    st.sampled_from(["", "www.", "WWW."]),
    st.sampled_from(["", "/"]),
    st.permutations(["id=7", "utm_source=mail", "fbclid=x"]),
    st.sampled_from(["", "#top"]),
)
@settings(max_examples=60, deadline=None)
def test_what_leads_to_the_same_page_is_left_out(
    scheme: str, www: str, slash: str, query: list[str], fragment: str
) -> None:
    url = f"{scheme}{www}Example.org/events/lamplight{slash}?{'&'.join(query)}{fragment}"

    assert page_at(url) == PAGE


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/events/other?id=7",
        "https://example.org/events/lamplight?id=8",
        "https://example.org/Events/lamplight?id=7",
        "https://example.org:8443/events/lamplight?id=7",
        "https://example.org/events/lamplight?id=7#/seats/2",
    ],
)
def test_what_may_lead_elsewhere_is_another_page(url: str) -> None:
    assert page_at(url) not in (None, PAGE)


@pytest.mark.parametrize(
    "url",
    [
        *("", "lamplight", "mailto:a@example.org", "http://[", "https://example.org:port/a"),
        *("https://example.org", "https://www.example.org/en/", "https://example.org/zh-hant"),
        *("https://example.org/index.html", "https://example.org/?utm_source=x#top"),
    ],
)
def test_what_is_about_no_event_is_no_page(url: str) -> None:
    assert page_at(url) is None

"""Which hosts share one bucket."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.pace.domain import registrable_domain


@pytest.mark.parametrize(
    ("url_or_host", "domain"),
    [
        ("https://api.n8n.io/api/templates/search?page=1", "n8n.io"),  # the API and
        ("https://n8n.io/workflows/2462/", "n8n.io"),  # the pages share one bucket
        ("api.n8n.io", "n8n.io"),  # a host alone
        ("N8N.IO.", "n8n.io"),  # neither case nor the root's dot matter
        ("https://user:secret@www.n8n.io:8443/x", "n8n.io"),  # credentials and ports neither
        ("https://n8n.io?next=https://evil.example", "n8n.io"),  # a query is no host
        ("n8n.io:443/redirect//youtube.com", "n8n.io"),  # nor is a path
        ("//cdn.n8n.io/a.png", "n8n.io"),  # without a scheme
        ("https://www.bbc.co.uk/news", "bbc.co.uk"),  # a public suffix of two labels
        ("https://youtu.be/abc", "youtu.be"),
        ("http://127.0.0.1:8123/x", "127.0.0.1"),  # addresses stand for themselves
        ("127.0.0.1", "127.0.0.1"),
        ("http://[::1]:8123/x", "::1"),
        ("2001:DB8::1", "2001:db8::1"),
        ("http://localhost:8123/", "localhost"),  # so do bare names
        ("https://mock:80", "mock"),
        ("https://münchen.n8n.io/", "n8n.io"),
        ("", ""),  # no host, no domain
        ("https://", ""),
    ],
)
def test_the_domain_of_a_url_or_host(url_or_host: str, domain: str) -> None:
    assert registrable_domain(url_or_host) == domain


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    assert isinstance(registrable_domain(text), str)

"""Whose pages may read what n8n's template browser is answered."""

import pytest

from n8n_scraper.policies.safety.origin import origin_of
from n8n_scraper.sources.n8n.host.origins import answer_to

KNOWN = {origin for origin in [origin_of("https://n8n.example")] if origin}


def test_where_no_cookie_comes_everybody_may() -> None:
    headers = answer_to("https://any.example", (), open_to_all=True)

    assert headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in headers


@pytest.mark.parametrize(
    "origin",
    ["https://n8n.example", "https://N8N.example:443", "http://127.0.0.1:5678", "http://localhost"],
)
def test_with_credentials_this_machine_and_those_that_are_known_may(origin: str) -> None:
    headers = answer_to(origin, KNOWN, open_to_all=False)

    assert headers["Access-Control-Allow-Origin"] == origin
    assert headers["Access-Control-Allow-Credentials"] == "true"
    assert headers["Access-Control-Allow-Headers"] == "n8n-version"
    assert headers["Vary"] == "Origin"


@pytest.mark.parametrize(
    "origin",
    [
        *("http://n8n.example", "https://n8n.example:8443", "https://n8n.example.evil.example"),
        *("null", "", "http://[", "http://127.0.0.1.evil.example", None),
    ],
)
def test_nobody_else_may(origin: str | None) -> None:
    assert answer_to(origin, KNOWN, open_to_all=False) == {"Vary": "Origin"}

"""Two addresses lead to one host when scheme, name and port are the same."""

import pytest

from n8n_scraper.policies.safety.origin import origin_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://n8n.io", "HTTPS://N8N.IO.:443/workflows/"),
        ("http://n8n.io/", "http://user:word@n8n.io:80"),
        ("https://bücher.example", "https://xn--bcher-kva.example/a"),
    ],
)
def test_spelling_makes_no_difference(one: str, other: str) -> None:
    assert origin_of(one) == origin_of(other) is not None


@pytest.mark.parametrize(
    "other",
    [
        *("http://n8n.io/", "https://n8n.io.evil.example/", "https://n8n.io:8443/"),
        *("https://n8n.io@evil.example/", "https://www.n8n.io/"),
    ],
)
def test_what_begins_alike_is_another(other: str) -> None:
    assert origin_of(other) != origin_of("https://n8n.io")


@pytest.mark.parametrize("text", ["", "n8n.io", "https://", "http://[", "https://n8n.io:99999/"])
def test_what_is_no_address_has_none(text: str) -> None:
    assert origin_of(text) is None

"""Where things stand on the site."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.errors import BadInput
from n8n_scraper.sources.n8n.addresses import Addresses
from n8n_scraper.sources.n8n.parts import Layer

REAL = Addresses.from_settings(
    {"N8N_SITE_URL": "https://n8n.io/", "N8N_API_URL": "https://api.n8n.io/"}
)


def test_the_three_layers_of_a_template_have_their_places() -> None:
    planned = Planned("7", listing={"slug": "a-slug"})

    assert REAL.of(Layer.METADATA, planned) == "https://api.n8n.io/api/templates/workflows/7"
    assert REAL.of(Layer.JSON, planned) == "https://api.n8n.io/api/workflows/templates/7"
    assert REAL.of(Layer.EXPLAINER, planned) == "https://n8n.io/workflows/7-a-slug/"


def test_without_a_slug_none_is_guessed() -> None:
    assert REAL.of(Layer.EXPLAINER, Planned("7")) == "https://n8n.io/workflows/7/"


def test_a_sitemap_never_leads_away_from_the_base() -> None:
    copy = Addresses("http://127.0.0.1:8808", "http://127.0.0.1:8808")

    assert (
        copy.on_site("https://n8n.io/sitemap-workflows.xml?page=2")
        == "http://127.0.0.1:8808/sitemap-workflows.xml?page=2"
    )


@given(st.text(st.sampled_from("/.:@?#a9%[]\\ ") | st.characters(codec="utf-8"), max_size=40))
def test_whatever_a_sitemap_names_the_host_is_ours(text: str) -> None:
    copy = Addresses("http://127.0.0.1:8808", "http://127.0.0.1:8808")

    try:
        asked = urlsplit(copy.on_site(text))
    except ValueError:  # what stands there is no address at all, and no sitemap's reader gives it
        return

    assert (asked.scheme, asked.netloc) == ("http", "127.0.0.1:8808")


@pytest.mark.parametrize("tail", [".evil.example/sitemap-workflows.xml", ":99999/workflows.xml"])
def test_what_begins_like_the_site_is_not_the_site(tail: str) -> None:
    assert REAL.on_site(tail) == f"https://n8n.io/{tail}"
    assert REAL.on_site(f"https://n8n.io{tail}").startswith("https://n8n.io/")


def test_a_category_is_sent_by_its_name() -> None:
    assert REAL.search("Lead Generation", 2) == (
        "https://api.n8n.io/api/templates/search"
        "?category=Lead+Generation&page=2&rows=100&sort=createdAt%3Aasc"
    )


@pytest.mark.parametrize(
    "base", ["n8n.io", "ftp://n8n.io", "", "http://", "http://[", "http://x:a"]
)
def test_a_base_that_is_no_address_is_refused(base: str) -> None:
    with pytest.raises(BadInput, match="N8N_SITE_URL"):
        Addresses.from_settings({"N8N_SITE_URL": base})


@pytest.mark.parametrize("layer", list(Layer))
@pytest.mark.parametrize("slug", ["a-slug", None])
def test_an_address_tells_which_layer_of_which_template_it_is(layer: Layer, slug: str) -> None:
    kept = slug if layer is Layer.EXPLAINER else None

    assert REAL.layer_at(REAL.of(layer, Planned("7", listing={"slug": slug}))) == (
        layer,
        Planned("7", listing={"slug": kept} if kept else {}),
    )


@pytest.mark.parametrize(
    "url",
    [
        "https://n8n.io/workflows/",
        "https://n8n.io/sitemap_index.xml",
        "https://n8n.io.evil.example/workflows/7/",
        "https://api.n8n.io/api/workflows/templates/seven",
    ],
)
def test_other_addresses_are_no_layer(url: str) -> None:
    assert REAL.layer_at(url) is None


def test_only_the_site_and_its_api_are_ours() -> None:
    assert REAL.has("https://n8n.io/workflows/7/")
    assert REAL.has("https://api.n8n.io")
    assert not REAL.has("https://n8n.io.evil.example/")

"""Every value that somebody has worked out for a recorded page with structured data."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from n8n_scraper.reading.structured.document import tree_of
from n8n_scraper.reading.structured.json_ld import json_ld
from n8n_scraper.reading.structured.microdata import microdata
from n8n_scraper.reading.structured.microformats import microformats
from n8n_scraper.reading.structured.open_graph import dublin_core, open_graph
from n8n_scraper.reading.structured.rdfa import rdfa
from tests.conftest import SAMPLES

# The page of an artist is told apart from its own expected values by its address alone.
ARTIST = "http://www.songkick.com/artists/236156-elysian-fields"

Read = Callable[[etree._Element, str], list[Any]]
READERS: dict[str, Read] = {
    "json-ld": lambda root, _: json_ld(root),
    "microdata": lambda root, _: microdata(root),
    "opengraph": lambda root, _: open_graph(root),
    "microformat": lambda root, _: microformats(root),
    "rdfa": rdfa,
    "dublincore": lambda root, _: dublin_core(root),
}


def expectations() -> list[tuple[str, str]]:
    """Each recorded page with each form in which something is expected of it."""
    pairs = []
    for file in sorted((SAMPLES / "events").glob("*.expected.json*")):
        expected = _expected(file)
        pairs += [(file.name, form) for form in READERS if form in expected]
    return pairs


def _expected(file: Path) -> dict[str, Any]:
    found = json.loads(file.read_text("utf-8"))
    if isinstance(found, list):
        return {"json-ld" if file.suffix == ".jsonld" else "microdata": found}
    return dict(found)


@pytest.mark.parametrize(("name", "form"), expectations())
def test_what_is_read_is_what_is_expected(name: str, form: str, samples: Path) -> None:
    file = samples / "events" / name
    expected = _expected(file)
    page = file.with_name(name.partition(".expected.")[0] + ".html")
    root = tree_of(page.read_text("utf-8"))

    assert root is not None
    assert READERS[form](root, expected.get("url", ARTIST)) == expected[form]

"""Read the JSON-LD of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from n8n_scraper.reading.structured.document import elements
from n8n_scraper.reading.structured.json_text import read_json

_SCRIPTS = (
    "//script[contains(translate(@type, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', "
    "'abcdefghijklmnopqrstuvwxyz'), 'ld+json')]"
)
MOST_NODES = 20_000


def json_ld(root: etree._Element) -> list[Any]:
    """Give what stands in the page, one entry a thing; what is empty or no JSON is left out."""
    found: list[Any] = []
    for script in elements(root, _SCRIPTS):
        try:
            data = read_json(script.text or "")
        except ValueError:
            continue
        found += [one for one in (data if isinstance(data, list) else [data]) if one]
    return found


def nodes(data: Any, *, without: frozenset[str] = frozenset()) -> Iterator[dict[str, Any]]:
    """Give every object in the data, each before those within it.

    What stands under a key of `without` is passed over.
    """
    waiting, seen = [data], 0
    while waiting and seen < MOST_NODES:
        one = waiting.pop()
        seen += 1
        if isinstance(one, dict):
            yield one
            within = [value for key, value in one.items() if key not in without]
        else:
            within = one if isinstance(one, list) else []
        waiting += [value for value in reversed(within) if isinstance(value, (dict, list))]

"""Find the JSON from which a page's own program draws it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from n8n_scraper.reading.structured.document import attribute, elements
from n8n_scraper.reading.structured.json_text import first_json, read_json

_ASSIGNED = re.compile(
    r"(?:window|self|globalThis)\s*(?:\.\s*(\w{3,60})|\[\s*[\"'](\w{3,60})[\"']\s*\])\s*=\s*(?=[{\[])"
)
_MOST_ASSIGNED = 40


def states(root: etree._Element) -> Iterator[tuple[str, Any]]:
    """Give each of them with its name: `__NEXT_DATA__`, other JSON scripts, `window.x = {…}`."""
    for script in elements(root, "//script"):
        kind, text = attribute(script, "type").lower(), script.text or ""
        if kind.endswith("json") and not kind.endswith("ld+json"):
            try:
                yield attribute(script, "id") or "json", read_json(text)
            except ValueError:
                continue
        elif kind in ("", "module", "text/javascript", "application/javascript"):
            yield from _assigned(text)


def _assigned(text: str) -> Iterator[tuple[str, Any]]:
    for match, _ in zip(_ASSIGNED.finditer(text), range(_MOST_ASSIGNED), strict=False):
        try:
            yield match[1] or match[2], first_json(text, match.end())
        except ValueError:
            continue

"""What selectors may look like: CSS, with "@attribute" behind where an attribute is meant."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from cssselect import HTMLTranslator
from cssselect.parser import SelectorError
from lxml import etree

from n8n_scraper.core.errors import BadInput

FIELDS = (
    *("id", "title", "link", "start", "end", "date", "time", "venue", "location", "price"),
    *("image", "description", "status"),
)
"""What can be looked for on a card."""

KEYS = frozenset(("item", *FIELDS))
_WITH_ATTRIBUTE = re.compile(r"(.*[^@\s])\s*@([\w:-]+)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Selector:
    """A selector as XPath, and the attribute that it takes; None for the words."""

    path: str
    attribute: str | None


@lru_cache(maxsize=500)
def compiled(text: str) -> Selector:
    """Turn a selector into XPath; BadInput where it is none."""
    match = _WITH_ATTRIBUTE.fullmatch(text)
    css, attribute = (match[1], match[2]) if match else (text, None)
    try:
        path = HTMLTranslator().css_to_xpath(css, prefix="//")
        etree.XPath(path)
    except (SelectorError, etree.XPathSyntaxError, ValueError) as error:
        raise BadInput(f"{text!r} is no CSS selector: {error}.") from None
    return Selector(path, attribute)

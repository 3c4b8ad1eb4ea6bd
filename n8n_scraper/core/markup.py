"""Parse HTML into a tree, unless it is built to keep the parser busy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

from lxml import etree, html
from lxml.html import HtmlElement

from n8n_scraper.core.errors import BadContent

# The parser looks through all attributes of an element for each further one.
_MOST_ATTRIBUTES = 500
_MOST_DROPPED = 20_000
# Without a way back: a name, and a value if one follows.
_ATTRIBUTE = (
    r"""(?>[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+)?+)"""
)
_LOOKS_LIKE_MANY = re.compile(
    rf"<[a-z][^\s/>]*+(?:{_ATTRIBUTE}){{{_MOST_ATTRIBUTES + 1}}}+", re.I | re.A
)


def parsed(text: str) -> HtmlElement:
    """The tree of a page or of a piece of one; raises BadContent where there is none."""
    try:
        # Words of a text that follow a "<" look the same, so the tags themselves are asked.
        if _LOOKS_LIKE_MANY.search(text) and _most_attributes(text) > _MOST_ATTRIBUTES:
            raise BadContent(f"an element with more than {_MOST_ATTRIBUTES} attributes")
        root: HtmlElement = html.document_fromstring(text)
    except (etree.LxmlError, ValueError, AssertionError) as error:
        raise BadContent(f"not HTML: {error}") from None
    return root


def drop(root: HtmlElement, *names: Any) -> None:
    """Take out all elements of these names, but not the text that follows them."""
    # The texts around them run together, which costs the more the more there are.
    if next(islice(root.iter(*names), _MOST_DROPPED, None), None) is not None:
        raise BadContent(f"HTML with more than {_MOST_DROPPED:,} scripts, comments and the like")
    etree.strip_elements(root, *names, with_tail=False)


class _Attributes:
    """Counts the attributes of each tag; without a tree, one more costs nothing extra."""

    def __init__(self) -> None:
        self.most = 0

    def start(self, _: str, attributes: Mapping[str, str]) -> None:
        """Note how many attributes an element has."""
        self.most = max(self.most, len(attributes))

    def close(self) -> None:
        """Nothing is built."""


def _most_attributes(text: str) -> int:
    counted = _Attributes()
    etree.fromstring(text, etree.HTMLParser(target=counted))  # type: ignore[arg-type]
    return counted.most

"""Turn bytes into text, and text into a tree of HTML, whatever they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from lxml import etree
from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
    to_unicode,
)

MOST_CHARACTERS = 8_000_000
"""What is more than that is not looked at: a page is smaller by far."""

# Python knows others as well, which are for names of hosts or for bytes, and can take for ever.
_OF_TEXTS = re.compile(
    r"utf-?_?(?:8|16|32)|iso|windows|cp\d|koi8|mac|gb|big5|euc|shift|ascii|latin|hz|ks|tis"
)
_NEW_LINE = frozenset(
    (
        *("address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figure"),
        *("footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main"),
        *("nav", "ol", "p", "section", "table", "td", "th", "tr", "ul"),
    )
)
_NO_WORDS = frozenset(("script", "style", "template", "noscript"))


def decoded(body: bytes, encoding: str | None = None, content_type: str | None = None) -> str:
    """Give the text of an answer: by its mark, the given encoding, its header, its own word."""
    named, mark = read_bom(body)
    said = (
        *(named, encoding, http_content_type_encoding(content_type)),
        *(html_body_declared_encoding(body), "utf-8"),
    )
    known = (resolve_encoding(name) for name in said if name)
    chosen = next(name for name in known if name and _OF_TEXTS.match(name))
    text = to_unicode(body[len(mark or b"") :], chosen)
    return text[:MOST_CHARACTERS]


def tree_of(text: str) -> etree._Element | None:
    """Give the root of a page or of a piece of one; None where there is nothing at all."""
    # Bytes, so that an encoding that the text itself names is no longer of interest.
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def elements(root: etree._Element, path: str) -> list[etree._Element]:
    """Give the elements that an XPath of elements finds."""
    return cast("list[etree._Element]", root.xpath(path))


def attribute(element: etree._Element, name: str) -> str:
    """Give the value of an attribute, without spaces around it; empty where there is none."""
    return str(element.get(name) or "").strip()


def words_of(element: etree._Element) -> str:
    """Give the words of an element in one line."""
    return " ".join(" ".join(lines_of(element)).split())


def lines_of(element: etree._Element) -> list[str]:
    """Give the words of an element as they stand below each other, without empty lines."""
    text = "".join(_pieces(element))
    return [words for line in text.split("\n") if (words := " ".join(line.split()))]


def _pieces(element: etree._Element) -> Iterator[str]:
    for event, one in etree.iterwalk(element, events=("start", "end")):
        if not isinstance(one.tag, str) or _is_in(one, element):
            continue
        if one.tag in _NEW_LINE:
            yield "\n"
        if event == "start":
            yield _flat(one.text if one.tag not in _NO_WORDS else None)
        elif one is not element:
            yield _flat(one.tail)


def _is_in(one: etree._Element, root: etree._Element) -> bool:
    """Whether an element stands in one that has no words for people."""
    parent = one.getparent()
    return one is not root and parent is not None and parent.tag in _NO_WORDS


def _flat(text: str | None) -> str:
    return (text or "").replace("\n", " ")

"""Turn bytes into text, and text into a tree of HTML, whatever they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from lxml import etree
from w3lib.encoding import html_to_unicode

MOST_CHARACTERS = 8_000_000
"""What is more than that is not looked at: a page is smaller by far."""

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
    header = f"text/html; charset={encoding}" if encoding else content_type
    _, text = html_to_unicode(header, body, default_encoding="utf8")
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

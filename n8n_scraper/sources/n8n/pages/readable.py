"""Read the words of HTML, with a line for each block."""

from __future__ import annotations

import re

from lxml import etree
from lxml.html import HtmlElement

from n8n_scraper.core.errors import BadContent
from n8n_scraper.core.markup import drop, parsed

# fmt: off
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "br", "dd", "details", "div", "dl", "dt",
    "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "section",
    "summary", "table", "td", "th", "tr", "ul",
})
# fmt: on
# Between blocks; a character that no parsed text holds, so that lines of code stay as they are.
_BREAK = "\x00"
_SPACE = re.compile(r"\s+")


def readable(element: HtmlElement) -> str:
    """The text with a line for each block, so that words of two blocks never run together."""
    lines: list[str] = []
    in_code = sum(1 for _ in element.iterancestors("pre"))  # how many of them are open
    for action, one in etree.iterwalk(element, events=("start", "end")):
        tag = one.tag
        if tag in _BLOCKS:
            lines.append(_BREAK)
        if action == "start":
            in_code += tag == "pre"
            if text := one.text:
                lines.append(text if in_code else _one_spaced(text))
            continue
        if one is not element and (text := one.tail):
            # What follows an element of code counts as code, as it always has.
            lines.append(text if in_code else _one_spaced(text))
        in_code -= tag == "pre"
    blocks = (block.strip(" ") for block in "".join(lines).split(_BREAK))
    return "\n".join(filter(None, blocks)).strip()


def _one_spaced(text: str) -> str:
    """A text with single blanks; one that has no other is as it should be."""
    is_plain = text.isprintable() and "  " not in text  # of all space only a blank can be printed
    return text if is_plain else _SPACE.sub(" ", text)


def readable_html(source: str) -> str:
    """The words of a piece of HTML, read as those of a page are."""
    try:
        root = parsed(f"<div>{source}</div>")
        drop(root, etree.Comment, "script", "style", "noscript")
    except BadContent:
        return source
    return readable(root)

"""Write the HTML of a description as Markdown, so that one reader serves both answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

_SPACE = re.compile(r"\s+")
_BLANK_LINES = re.compile(r"\n{3,}")
# What would begin a list or a heading at the start of a line.
_START = re.compile(r"(?<=^\d)[.)]|(?<=^\d\d)[.)]|^[-+#](?=\s|#)")
_SPECIAL = re.compile(r"([\\`*_\[\]<>])")
_BLOCKS = frozenset({"p", "div", "section", "article", "figure", "details", "summary", "dl", "dd"})
_DEEPEST = 100


def markdown_of(element: HtmlElement) -> str:
    """The content of an element as Markdown: headings, lists, code, tables, links, pictures."""
    return _BLANK_LINES.sub("\n\n", _inside(element, 0)).strip()


def _inside(element: HtmlElement, depth: int) -> str:
    """What an element holds; nesting that no real page has gives its words alone."""
    if depth > _DEEPEST:
        return _text("".join(element.itertext()))
    parts = [_START.sub(r"\\\g<0>", _text(element.text))]
    for child in element:
        if isinstance(child.tag, str):
            parts.append(_written(child, depth + 1))
        parts.append(_text(child.tail))
    return "".join(parts)


def _written(element: HtmlElement, depth: int) -> str:
    tag = str(element.tag).lower()
    if tag == "pre":
        return _code(element)
    if tag == "table":
        return _table(element, depth)
    if tag == "img":
        return f"![{_text(element.get('alt'))}]({_address(element.get('src'))})"
    if tag in ("br", "hr"):
        return "\\\n" if tag == "br" else "\n\n---\n\n"
    if tag in ("ul", "ol"):
        return _list(element, depth)
    if tag == "code":
        return f"`{' '.join(''.join(element.itertext()).replace('`', '').split())}`"
    return _around(element, tag, _inside(element, depth))


def _around(element: HtmlElement, tag: str, inner: str) -> str:
    """Put an element's marks around what it holds."""
    if len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
        return f"\n\n{'#' * int(tag[1])} {' '.join(inner.split())}\n\n"
    if tag == "a" and (address := _address(element.get("href"))):
        return f"[{inner.strip()}]({address})"
    if tag in ("strong", "b") and inner.strip():
        return f"**{inner.strip()}**"
    if tag == "blockquote":
        return "\n\n" + "\n".join(f"> {line}" for line in inner.strip().split("\n")) + "\n\n"
    return f"\n\n{inner}\n\n" if tag in _BLOCKS else inner


def _list(element: HtmlElement, depth: int) -> str:
    items = []
    for number, child in enumerate(element.iterchildren("li"), start=1):
        mark = f"{number}. " if element.tag == "ol" else "- "
        inner = _BLANK_LINES.sub("\n\n", _inside(child, depth + 1)).strip()
        items.append(mark + inner.replace("\n", "\n" + " " * len(mark)))
    return "\n\n" + "\n".join(items) + "\n\n"


def _code(element: HtmlElement) -> str:
    code = "".join(element.itertext()).strip("\n")
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", code))])
    languages = (
        name.removeprefix("language-")
        for inner in element.iter("pre", "code")
        for name in (inner.get("class") or "").split()
        if name.startswith("language-")
    )
    return f"\n\n{fence}{next(languages, '')}\n{code}\n{fence}\n\n"


def _table(element: HtmlElement, depth: int) -> str:
    rows = [[_cell(cell, depth) for cell in row.iterchildren("td", "th")] for row in _rows(element)]
    width = max(map(len, rows), default=0)
    if not width:
        return _text("".join(element.itertext()))
    lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in rows]
    return "\n\n" + "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]]) + "\n\n"


def _rows(table: HtmlElement) -> Iterator[HtmlElement]:
    """The rows of a table, without those of tables in its cells."""
    for child in table.iterchildren("tr", "thead", "tbody", "tfoot"):
        yield from [child] if child.tag == "tr" else child.iterchildren("tr")


def _cell(cell: HtmlElement, depth: int) -> str:
    return " ".join(_inside(cell, max(depth, _DEEPEST - 5)).split()).replace("|", "\\|")


def _text(text: str | None) -> str:
    return _SPECIAL.sub(r"\\\1", _SPACE.sub(" ", text or ""))


def _address(address: str | None) -> str:
    return "".join((address or "").split()).replace("(", "%28").replace(")", "%29")

"""Show what strangers have written in Markdown as part of a page, and let none of it run.

Nothing of it leaves its place: no script, no style, no address that a browser would fetch by
itself, no heading above those of the page. The sanitizer has the last word.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import nh3
from lxml import html
from lxml.html import HtmlElement
from markdown_it import MarkdownIt
from markupsafe import Markup

from n8n_scraper.core.errors import BadContent
from n8n_scraper.core.markup import parsed

Picture = Callable[[str], str | None]
"""Gives the address at which we have a picture; None of one that we have not."""

LONGEST = 50_000
"""Signs that are shown at most; no author has written as many."""
_CUT = "\n\n*The rest is too long to be shown.*"

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_HIGHEST = 3
"""Above these stand the headings of the page itself."""
_TAGS = {
    *(
        "a",
        "abbr",
        "b",
        "blockquote",
        "br",
        "code",
        "dd",
        "del",
        "details",
        "div",
        "dl",
        "dt",
        "em",
    ),
    *("h3", "h4", "h5", "h6", "hr", "i", "img", "kbd", "li", "ol", "p", "pre", "q", "s", "samp"),
    *("span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "th", "thead", "tr"),
    "ul",
}
_ATTRIBUTES = {
    "a": {"href"},
    "img": {"src", "alt"},
    "ol": {"start"},
    "pre": {"tabindex"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}
_RELATION = "nofollow noopener noreferrer"


def as_html(source: str, picture: Picture = lambda _url: None) -> Markup:
    """Render a text; of its pictures those are shown that we have, the others are links."""
    text = source if len(source) <= LONGEST else source[:LONGEST] + _CUT
    try:
        # What is empty shows only when what must not be there is gone.
        root = parsed(f"<div>{_cleaned(_reader().render(text), _TAGS | {'h1', 'h2'})}</div>")
    except BadContent:
        return Markup("<pre>{}</pre>").format(text)  # built to keep a parser busy: shown as it is
    _settle_pictures(root, picture)
    _settle_headings(root)
    _settle_the_rest(root)
    body = root if root.tag == "div" else root.find(".//div")
    inside = "" if body is None else html.tostring(body, encoding="unicode")
    return Markup(_cleaned(inside, _TAGS))  # noqa: S704 - this is what the sanitizer has let pass


@cache
def _reader() -> MarkdownIt:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def _cleaned(text: str, tags: set[str]) -> str:
    return nh3.clean(
        text,
        tags=tags,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel=_RELATION,
        strip_comments=True,
    )


def _settle_pictures(root: HtmlElement, picture: Picture) -> None:
    """Show those that we have from here; of each other one say what it is, and where."""
    for one in list(root.iter("img")):
        address, words = one.get("src") or "", (one.get("alt") or "").strip()
        one.attrib.clear()
        if ours := picture(address):
            one.set("src", ours)
            one.set("alt", words)
            continue
        one.tag = "span"
        if address and not _is_inside_a_link(one):
            one.tag = "a"
            one.set("href", address)
        one.text = f"Picture: {words or address}"


def _is_inside_a_link(element: HtmlElement) -> bool:
    return next(element.iterancestors("a"), None) is not None


def _settle_headings(root: HtmlElement) -> None:
    """Let them begin below those of the page, and go down by one at a time."""
    open_levels: list[int] = []
    for one in list(root.iter(*_HEADINGS)):
        if not one.text_content().strip():
            one.tag = "div"
            continue
        level = int(one.tag[1])
        while open_levels and open_levels[-1] >= level:
            open_levels.pop()
        open_levels.append(level)
        one.tag = f"h{min(_HIGHEST + len(open_levels) - 1, 6)}"


def _settle_the_rest(root: HtmlElement) -> None:
    """Give what would have none its name: links, and cells that name nothing."""
    for link in root.iter("a"):
        if not link.text_content().strip() and link.find(".//img") is None:
            link.text = link.get("href") or "link"
    for cell in root.iter("th"):
        if not cell.text_content().strip():
            cell.tag = "td"
    for block in root.iter("pre"):
        block.set("tabindex", "0")  # what is wider than the page is scrolled by the keyboard too

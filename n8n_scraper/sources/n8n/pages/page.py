"""Read the explainer page: `GET {site}/workflows/{id}-{slug}/`.

The page is full of decoys: a footer channel, testimonials with author-like markup, a cookie dialog
with tag-like words, related templates, headings inside the description. What counts is therefore
decided by place: the head, what stands before the description, and the description itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast
from urllib.parse import urlsplit

from lxml import etree
from lxml.html import HtmlElement

from n8n_scraper.core.errors import BadContent, NotFoundPage, UnreadableAnswer, WrongItem
from n8n_scraper.core.markup import drop, parsed
from n8n_scraper.sources.n8n.pages import reading
from n8n_scraper.sources.n8n.pages.html_markdown import markdown_of
from n8n_scraper.sources.n8n.pages.markdown import Picture
from n8n_scraper.sources.n8n.pages.metadata import read_workflow
from n8n_scraper.sources.n8n.pages.readable import readable
from n8n_scraper.sources.n8n.pages.sitemap import Entry, read_template_address
from n8n_scraper.sources.n8n.source import SOURCE

_TITLE_SUFFIX = " | n8n workflow template"
_NOT_FOUND = re.compile(r"\berror\s*404\b|\bpage not found\b", re.I)
_LAST_UPDATE = re.compile(r"\s*last updated?\s*(?P<when>.*?)\s*", re.I | re.S)
_PRICE = re.compile(r"\s*buy for\s*\$\s*(?P<price>\d+(?:\.\d+)?)\s*", re.I)
_FREE = re.compile(r"\s*use for free\s*", re.I)
# The classes of the real site, in the order in which they have been seen to hold a description.
_DESCRIPTIONS = ("workflow-description", "description", "content-styles")
# All elements that may have one of these classes, in one walk through the page.
_MAY_DESCRIBE = etree.XPath(
    "//*[contains(@class, 'description') or contains(@class, 'content-styles')]"
)
_BETWEEN_CLASSES = re.compile(r"[ \t\r\n]+")
# A page has one or two of them.
_MOST_PLACES = 50
_CHROME = re.compile(r"cookie|consent|testimonial|footer", re.I)
# What no author writes, but a page may put into a description.
_NO_CONTENT = ("button", "form", "svg", "template", "n8n-demo", "nav", "footer", "aside", "dialog")
_UNSEEN = ("script", "style", "noscript")
# Elements of this name are taken out, all at once.
_DROPPED = "dropped"
# What an author can explain with instead of words.
_SHOWN = ("img", "picture", "video", "audio", "iframe", "embed", "object")
_CONTAINERS = ("div", "section", "ul")
# From here on the page speaks of other templates.
_END_OF_CONTENT = "section-creator-workflows"


@dataclass(frozen=True, slots=True)
class ExplainerPage:
    """What the page says about its template; None where it says nothing."""

    workflow_id: str
    slug: str | None
    title: str | None
    author_name: str | None
    author_username: str | None
    categories: list[str]
    last_update_text: str | None
    price: float | None
    purchase_url: str | None
    text: str
    markdown: str | None
    addresses: list[str]
    pictures: list[Picture]
    workflow: dict[str, Any] | None


def read_page(
    body: bytes, *, asked: str, url: str = "", with_markdown: bool = True
) -> ExplainerPage:
    """Turn the page into typed data; it must be a template's page, and that of the id asked for.

    Its Markdown is written only where it is wanted: the author's own is nearly always at hand.
    """
    root = _seen(body)
    description = _description(root)
    if description is None:
        raise _why_no_description(root, body)
    claim = _claimed_address(root)
    address = claim or read_template_address(url)
    if address is not None and address.workflow_id != asked:
        raise WrongItem(SOURCE.noun, asked, address.workflow_id)
    above = _Above(root, description)
    if not (_has_content(description) or _is_whole(root, body, above, claim)):
        raise _why_no_description(root, body)
    workflow = _embedded_workflow(root)
    content = _content(description, with_markdown=with_markdown)
    author = above.first_link("/creators/")
    price, purchase_url = above.offer()
    return ExplainerPage(
        workflow_id=asked,
        slug=address.slug if address else None,
        title=above.heading() or _title(root),
        author_name=_words(author) or None if author is not None else None,
        author_username=_last_step(author) if author is not None else None,
        categories=above.categories(),
        last_update_text=above.last_update(),
        price=price,
        purchase_url=purchase_url,
        workflow=workflow,
        **content,
    )


def _seen(body: bytes) -> HtmlElement:
    """The page as a person sees it, down to where it speaks of other templates."""
    text = body.decode("utf-8", "replace").replace("\0", "\ufffd")
    if not text.strip():
        raise BadContent("an empty page")
    root = parsed(text)
    for end in root.find_class(_END_OF_CONTENT):
        if end.getparent() is not None and end.tag != _DROPPED:  # else it is all there is, or gone
            for following in [end, *end.itersiblings(etree.Element)]:
                following.tag = _DROPPED
    drop(root, etree.Comment, *_UNSEEN, _DROPPED)
    return root


def _description(root: HtmlElement) -> HtmlElement | None:
    """The innermost place that the site gives a template's explanation, outside all chrome.

    Where no such place has anything in it, the first of them is an explanation left empty.
    """
    some = cast("list[HtmlElement]", _MAY_DESCRIBE(root))
    classes = [(one, _BETWEEN_CLASSES.split(one.get("class", ""))) for one in some]
    found = (one for name in _DESCRIPTIONS for one, names in classes if name in names)
    places = [element for element in islice(found, _MOST_PLACES) if not _in_chrome(element)]
    return next(filter(_has_content, places), places[0] if places else None)


def _has_content(place: HtmlElement) -> bool:
    """Whether an author's words, pictures or videos stand there."""
    has_words = any(map(str.strip, place.itertext()))
    return has_words or next(place.iterdescendants(*_SHOWN), None) is not None


def _in_chrome(element: HtmlElement) -> bool:
    return any(map(_is_chrome, [element, *element.iterancestors()]))


def _is_chrome(element: HtmlElement) -> bool:
    named = f"{element.get('class')} {element.get('id')}"
    return (
        element.tag in ("footer", "nav", "dialog", "aside")
        or element.get("role") == "dialog"
        or _CHROME.search(named) is not None
    )


def _is_whole(root: HtmlElement, body: bytes, above: _Above, claim: Entry | None) -> bool:
    """Whether a page that explains nothing is this template's all the same, by its own word."""
    is_a_templates = claim is not None or above.names_a_template()
    return is_a_templates and not (_is_cut_short(body) or _says_not_found(root))


def _why_no_description(root: HtmlElement, body: bytes) -> UnreadableAnswer:
    if _says_not_found(root):
        return NotFoundPage("the site's page for addresses that do not exist")
    if _is_cut_short(body):
        return BadContent("a page that is cut short")
    return BadContent("a page without a template's description")


def _says_not_found(root: HtmlElement) -> bool:
    headings = " ".join(_words(heading) for heading in root.iter("title", "h1", "h2", "h3"))
    visible = readable(root)[:2000]
    return bool(_NOT_FOUND.search(headings) or _NOT_FOUND.search(visible))


def _is_cut_short(body: bytes) -> bool:
    return b"</html" not in body[-2000:].lower()


def _claimed_address(root: HtmlElement) -> Entry | None:
    """The template that the page says it is, by its canonical address or the one for sharing."""
    claims = [link.get("href") for link in root.iter("link") if link.get("rel") == "canonical"]
    claims += [
        meta.get("content") for meta in root.iter("meta") if meta.get("property") == "og:url"
    ]
    for claim in claims:
        if claim and (found := read_template_address(claim)):
            return found
    return None


def _title(root: HtmlElement) -> str | None:
    for title in root.iter("title"):
        return _words(title).removesuffix(_TITLE_SUFFIX) or None
    return None


class _Above:
    """What stands on the page before the description, without its navigation."""

    def __init__(self, root: HtmlElement, description: HtmlElement) -> None:
        self._headings: list[HtmlElement] = []
        self._anchors: list[HtmlElement] = []
        self._offers: list[HtmlElement] = []
        self._texts: list[str] = []
        walk = etree.iterwalk(root, events=("start",))
        for _, element in walk:
            if element is description:
                break
            if element.tag == "nav":
                walk.skip_subtree()
            self._note(element, element.tag)

    def _note(self, element: HtmlElement, tag: str) -> None:
        if tag == "a":
            self._anchors.append(element)
        if tag == "h1":
            self._headings.append(element)
        if tag in ("a", "button"):
            self._offers.append(element)
        if tag not in ("title", "h1"):  # the author's words
            self._texts += filter(None, (element.text, element.tail))

    def heading(self) -> str | None:
        """The first h1: later ones are the author's own."""
        return next(filter(None, map(_words, self._headings)), None)

    def names_a_template(self) -> bool:
        """Whether a title and an author stand there, as they do above every explanation."""
        return self.heading() is not None and self.first_link("/creators/") is not None

    def first_link(self, prefix: str) -> HtmlElement | None:
        """The first link to an address of that kind."""
        return next(self._links(prefix), None)

    def categories(self) -> list[str]:
        """The names of the categories, in their order."""
        return list(dict.fromkeys(filter(None, map(_words, self._links("/workflows/categories/")))))

    def last_update(self) -> str | None:
        """The relative time that follows the words "Last update"."""
        label_seen = False
        for text in self._texts:
            match = _LAST_UPDATE.fullmatch(text)
            if match and match["when"]:
                return match["when"]
            if match:
                label_seen = True
            elif label_seen and text.strip():
                return text.strip()
        return None

    def offer(self) -> tuple[float | None, str | None]:
        """The price that the button names, and where it leads; None where there is no button."""
        for element in self._offers:
            words = _words(element)
            if match := _PRICE.fullmatch(words):
                return float(match["price"]), element.get("href")
            if _FREE.fullmatch(words):
                return 0.0, None
        return None, None

    def _links(self, prefix: str) -> Iterator[HtmlElement]:
        for element in self._anchors:
            address = element.get("href") or ""
            path = _path(address) if prefix in address else ""
            if path.startswith(prefix) and path.strip("/") != prefix.strip("/"):
                yield element


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def _last_step(link: HtmlElement) -> str | None:
    return _path(link.get("href") or "").rstrip("/").rpartition("/")[2] or None


def _words(element: HtmlElement) -> str:
    return " ".join("".join(element.itertext()).split())


def _content(description: HtmlElement, *, with_markdown: bool) -> dict[str, Any]:
    """What the author put into the description, without what the page put there."""
    for container in description.iterdescendants(*_CONTAINERS):
        if _is_chrome(container):
            container.tag = _DROPPED
    drop(description, *_NO_CONTENT, _DROPPED)
    return {
        "text": readable(description),
        "markdown": markdown_of(description) if with_markdown else None,
        "addresses": list(_addresses(description)),
        "pictures": list(_pictures(description)),
    }


def _addresses(description: HtmlElement) -> Iterator[str]:
    """Where the description leads to and what it shows."""
    for element in description.iter("a", "iframe", "embed", "img", "source", "video"):
        yield from filter(None, (element.get("href"), element.get("src")))


def _pictures(description: HtmlElement) -> Iterator[Picture]:
    for image in description.iter("img"):
        if address := image.get("src"):
            yield Picture(address, image.get("alt") or None)


def _embedded_workflow(root: HtmlElement) -> dict[str, Any] | None:
    for demo in root.iter("n8n-demo"):
        try:
            return read_workflow(reading.load_json((demo.get("workflow") or "").encode()))
        except BadContent:
            return None
    return None

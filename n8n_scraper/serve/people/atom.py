"""Write a feed of items as Atom (RFC 4287)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lxml import etree

_NAMESPACE = "http://www.w3.org/2005/Atom"
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of a feed."""

    id: str
    """An address that no other entry has, and that stays."""
    title: str
    link: str
    updated: str
    summary: str
    author: str | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed, the newest entry first."""

    title: str
    link: str
    """The page that shows the same."""
    itself: str
    empty_since: str
    """When it was last changed, as long as nothing is in it."""
    entries: Iterable[Entry]


def as_xml(feed: Feed) -> bytes:
    """Write it out."""
    entries = list(feed.entries)
    root = etree.Element("feed", {"xmlns": _NAMESPACE})
    _add(root, "id", feed.itself)
    _add(root, "title", feed.title)
    _add(root, "updated", max((one.updated for one in entries), default=feed.empty_since))
    _link(root, feed.itself, rel="self", type="application/atom+xml")
    _link(root, feed.link, rel="alternate", type="text/html")
    _author(root, "n8n-scraper")
    for one in entries:
        entry = etree.SubElement(root, "entry")
        _add(entry, "id", one.id)
        _add(entry, "title", one.title)
        _add(entry, "updated", one.updated)
        _link(entry, one.link, rel="alternate", type="text/html")
        if one.author:
            _author(entry, one.author)
        _add(entry, "summary", one.summary)
    return etree.tostring(root, encoding="utf-8", xml_declaration=True)


def _author(parent: etree._Element, name: str) -> None:
    _add(etree.SubElement(parent, "author"), "name", name)


def _link(parent: etree._Element, address: str, **more: str) -> None:
    etree.SubElement(parent, "link", {"href": _writable(address), **more})


def _add(parent: etree._Element, tag: str, text: str) -> None:
    etree.SubElement(parent, tag).text = _writable(text)


def _writable(text: str) -> str:
    return _UNWRITABLE.sub(" ", text)

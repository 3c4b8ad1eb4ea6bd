"""Tell the events of all sites apart, the same way in each crawl."""

from __future__ import annotations

import hashlib
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from n8n_scraper.sources.events.found import Found

_LENGTH = 16
# What an address is given so that it is known who has followed it.
_TRACKING = ("utm_", "fbclid", "gclid", "mc_cid", "mc_eid")


def event_id(site: str, found: Found, page: str) -> str:
    """Give the id of an event: by the site's own id, else its address, else what it is.

    `page` is the address of the list, which is no event's own.
    """
    return f"{site}-{_hash(_known_by(found, page))}"


def id_of_address(site: str, url: str) -> str:
    """Give the id of an event of which only the address is known."""
    return f"{site}-{_hash(f'address {plain(url)}')}"


def site_of(item_id: str) -> str:
    """Name the site that an id is of."""
    return item_id[: -_LENGTH - 1]


def plain(url: str) -> str:
    """Give one spelling of an address: without its fragment and what tells who has followed it."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    asked = parse_qsl(parts.query, keep_blank_values=True)
    kept = [(name, said) for name, said in asked if not name.lower().startswith(_TRACKING)]
    path = parts.path.rstrip("/") or "/"
    return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), path, urlencode(kept), ""))


def _known_by(found: Found, page: str) -> str:
    if found.source_event_id:
        return f"id {found.source_event_id}"
    for url in (found.detail_url, found.url):
        if url and plain(url) != plain(page):
            return f"address {plain(url)}"
    start = found.start.isoformat() if found.start else found.when or ""
    venue = (found.venue.name if found.venue else None) or ""
    return "\n".join(("words", found.title or "", start, venue))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]

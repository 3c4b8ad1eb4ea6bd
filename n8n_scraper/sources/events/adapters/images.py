"""Tell a picture of an event from one that stands where there is none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from n8n_scraper.sources.events.found import Found

_WORDS = (
    r"placeholders?|defaults?|no-?_?(?:image|img|photo|picture)s?|blank|spacer|logos?|icons?|favicon"
    r"|sprites?|dummy|pixel|avatars?|loading|transparent|1x1"
)
_NO_PICTURE = re.compile(rf"(?:^|[^a-z])(?:{_WORDS})(?:[^a-z]|$)|\.(?:svg|ico)$", re.IGNORECASE)
_OF_NO_PICTURES = re.compile(_WORDS, re.IGNORECASE)
_OF_TOO_MANY = 3
"""A picture of so many events that are called differently is of none of them."""


def is_picture(address: str) -> bool:
    """Whether an address can be that of a picture of something: the end of its path says."""
    try:
        path = urlsplit(address.strip()).path
    except ValueError:
        return False
    folder, _, name = path.rpartition("/")
    in_use = bool(name) and not address.startswith("data:")
    of_others = _OF_NO_PICTURES.fullmatch(folder.rpartition("/")[2]) or _NO_PICTURE.search(name)
    return in_use and not of_others


def largest_of(candidates: str) -> str | None:
    """Give the largest of a `srcset`."""
    sized = []
    for one in candidates.split(", "):
        address, _, size = one.strip().rpartition(" ")
        number = re.fullmatch(r"([\d.]{1,8})[wx]", size)
        sized.append((float(number[1].strip(".") or 0), address) if number else (0.0, one.strip()))
    return max(sized, key=lambda one: one[0])[1] or None


def without_shared(events: Sequence[Found]) -> list[Found]:
    """Take away the pictures that many events of a page share."""
    shared = _shared((one.title, one.images) for one in events)
    kept = []
    for one in events:
        images = tuple(image for image in one.images if image not in shared)
        if images != one.images:
            sources = {name: place for name, place in one.sources.items() if name != "images"}
            if images:
                sources["images"] = one.sources["images"]
            one = replace(one, images=images, sources=sources)
        kept.append(one)
    return kept


def _shared(events: Iterable[tuple[str | None, tuple[str, ...]]]) -> set[str]:
    pairs = {(image, title) for title, images in events for image in images}
    counted = Counter(image for image, _ in pairs)
    return {image for image, count in counted.items() if count >= _OF_TOO_MANY}

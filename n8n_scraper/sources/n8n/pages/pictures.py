"""Find the pictures of a template's content, each once, with every place that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from n8n_scraper.sources.n8n.item import Image
from n8n_scraper.sources.n8n.pages.markdown import Picture
from n8n_scraper.sources.n8n.pages.metadata import AttachedImage

_FILE = re.compile(r"fileId:(\d{1,18})")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+|\[[0-9a-f:]+\]|localhost", re.I)
# A value that the workflow puts in when it runs, or a part that a person is to fill in.
_UNKNOWN = re.compile(r"[{}<>\s]|&[lg]t;")


@dataclass(slots=True)
class _Found:
    alt: str | None
    file_id: int | None
    places: list[str] = field(default_factory=list)


def images_of(
    pictures: Iterable[tuple[str, Picture]], attached: Iterable[AttachedImage]
) -> list[Image]:
    """Join what texts show and what is attached; `fileId:N` becomes the attached address."""
    attached = list(attached)
    by_number = {image.file_id: image.url for image in attached if image.file_id is not None}
    numbers = {url: number for number, url in by_number.items()}
    found: dict[str, _Found] = {}
    for place, picture in pictures:
        if url := _resolved(picture.address, by_number):
            one = found.setdefault(url, _Found(picture.alt, numbers.get(url)))
            one.alt = one.alt or picture.alt
            _note(one, place)
    for image in attached:
        _note(found.setdefault(image.url, _Found(None, image.file_id)), "attached")
    return [
        Image(url=url, alt=one.alt, places=one.places, file_id=one.file_id)
        for url, one in found.items()
    ]


def _note(one: _Found, place: str) -> None:
    if place not in one.places:
        one.places.append(place)


def _resolved(address: str, by_number: dict[int, str]) -> str | None:
    address = address.strip()
    if match := _FILE.fullmatch(address):
        return by_number.get(int(match[1]))
    return address if is_web_address(address) else None


def is_web_address(url: str) -> bool:
    """Whether a picture can be had there by anybody: a whole address, without a blank to fill."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    known = not _UNKNOWN.search(url) and _HOST.fullmatch(host) is not None
    return known and parts.scheme in ("http", "https")

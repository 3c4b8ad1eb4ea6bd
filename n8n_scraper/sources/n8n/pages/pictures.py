"""Find the pictures of a template's content, each once, with every place that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from n8n_scraper.core.web_address import is_web_address
from n8n_scraper.sources.n8n.item import Image
from n8n_scraper.sources.n8n.pages.markdown import Picture
from n8n_scraper.sources.n8n.pages.metadata import AttachedImage

_FILE = re.compile(r"fileId:(\d{1,18})")


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

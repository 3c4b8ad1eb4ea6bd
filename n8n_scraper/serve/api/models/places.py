"""Where a page of a list begins: behind the place of the last line of the one before.

A program gets a place as `next`, and gives it back as `after`; what is in it is no promise.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec

from n8n_scraper.core.errors import BadInput
from n8n_scraper.serve.api.models.shared import Unset

T = TypeVar("T")

Place: TypeAlias = Annotated[
    str,
    msgspec.Meta(
        pattern="^[A-Za-z0-9_-]{1,3000}$",
        description="Where the page begins: `next` of the page before.",
    ),
]


def place_of(place: object) -> Place:
    """Write a place."""
    return base64.urlsafe_b64encode(msgspec.json.encode(place)).decode().rstrip("=")


def next_of(found: Sequence[T], limit: int, place: Callable[[T], object]) -> Place | None:
    """Write the place behind a page; None where the page is not full, and so the last."""
    return place_of(place(found[-1])) if len(found) == limit else None


def place_in(place: Place | Unset, shape: Any) -> Any:
    """Read a place of this shape; None where none is given."""
    if not isinstance(place, str):
        return None
    try:
        padded = place + "=" * (-len(place) % 4)
        return msgspec.json.decode(base64.urlsafe_b64decode(padded), type=shape)
    except (binascii.Error, msgspec.DecodeError, UnicodeDecodeError):
        raise BadInput(
            "there is no such place in this list: begin anew, without `after`."
        ) from None

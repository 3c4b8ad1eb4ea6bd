"""Where a page of a list begins: the place of the last line of the one before, in its address."""

from __future__ import annotations

import base64
import binascii
import json
from http import HTTPStatus
from typing import Any, NoReturn

from n8n_scraper.serve.problems import Problem

_LONGEST = 1_000
_HIGHEST = 2**63 - 1


def place_of(*keys: object) -> str:
    """Write a place so that it fits into an address."""
    text = json.dumps([str(key) for key in keys])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def place_in(text: str | None, keys: int) -> Any:
    """Read a place of so many keys, a tuple of texts; None where there is none."""
    if text is None:
        return None
    if len(text) > _LONGEST or not text.isascii():
        _refuse()
    try:
        found = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        _refuse()
    if not isinstance(found, list) or len(found) != keys:
        _refuse()
    if not all(isinstance(one, str) and "\0" not in one for one in found):
        _refuse()
    return tuple(found)


def number_of(text: str) -> int:
    """Read a key that is a number."""
    try:
        number = int(text)
    except ValueError:
        _refuse()
    return number if 0 <= number <= _HIGHEST else _refuse()


def _refuse() -> NoReturn:
    raise Problem(HTTPStatus.BAD_REQUEST, "There is no such place in this list: begin anew.")

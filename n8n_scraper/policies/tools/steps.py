"""Read what is to be done on a page before it is taken: as data, so that a request can be kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from n8n_scraper.core.errors import BadInput

MOST_SCROLLS = 100


class Doing(StrEnum):
    """What can be done on a page."""

    CLICK = "click"
    """Click the first that a selector finds."""
    SCROLL = "scroll"
    """Scroll to the end, so many times at most, as long as the page grows."""
    WAIT = "wait"
    """Wait for a selector, or for seconds."""
    CONSENT = "consent"
    """Decline what a dialog asks for, or else agree, so that it is out of the way."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do, and with what."""

    doing: Doing
    selector: str = ""
    number: float = 0.0
    """Scrolls, or seconds."""


def read_steps(given: Iterable[Mapping[str, Any]]) -> tuple[Step, ...]:
    """Read `[{"click": "#more"}, {"scroll": 5}, {"wait": ".item"}, {"consent": True}]`."""
    return tuple(_read(one) for one in given)


def _read(given: Mapping[str, Any]) -> Step:
    if not isinstance(given, Mapping) or len(given) != 1:
        raise _refusal(given)
    ((name, value),) = given.items()
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    match name:
        case Doing.CLICK if isinstance(value, str) and value:
            return Step(Doing.CLICK, selector=value)
        case Doing.SCROLL if is_number and 1 <= value <= MOST_SCROLLS:
            return Step(Doing.SCROLL, number=value)
        case Doing.WAIT if isinstance(value, str) and value:
            return Step(Doing.WAIT, selector=value)
        case Doing.WAIT if is_number and value >= 0:
            return Step(Doing.WAIT, number=value)
        case Doing.CONSENT if value is True:
            return Step(Doing.CONSENT)
    raise _refusal(given)


def _refusal(given: object) -> BadInput:
    return BadInput(
        f"a step on a page is {given!r}; write "
        '{"click": "a selector"}, {"scroll": 5}, {"wait": "a selector, or seconds"} '
        'or {"consent": true}.'
    )

"""Reads how long a server asks us to stay away."""

from __future__ import annotations

import math
import re
from datetime import UTC
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"[+-]?\d+(\.\d*)?", re.ASCII)


def retry_after(value: str | None, *, now_wall: float, cap: float) -> float | None:
    """Give the seconds a Retry-After header asks for, at most `cap`; None if it says nothing.

    Both forms of the standard are read, seconds (a fraction is accepted) and an HTTP date,
    which is compared with `now_wall`, seconds since 1970. Negative seconds and a date in the
    past mean "now": 0.0. A header that is missing, empty or neither form is no word at all,
    and the caller falls back on its own wait.
    """
    text = (value or "").strip()
    seconds = float(text) if _SECONDS.fullmatch(text) else _until(text, now_wall)
    if seconds is None or math.isnan(seconds):
        return None
    return min(max(0.0, seconds), cap)


def _until(text: str, now_wall: float) -> float | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:  # "-0000", and old software that forgets to write GMT
        moment = moment.replace(tzinfo=UTC)
    return moment.timestamp() - now_wall

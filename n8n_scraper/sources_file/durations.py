"""Read a time as people write it: `90s`, `30m`, `2h`, `1h30m`, `1d`."""

from __future__ import annotations

import re

_UNITS = {"d": 86_400.0, "h": 3600.0, "m": 60.0, "s": 1.0}
_PIECE = re.compile(r"(\d+(?:\.\d+)?)([dhms])")
_WHOLE = re.compile(r"(?:\d+(?:\.\d+)?[dhms])+")


def seconds_of(text: str) -> float:
    """Give the seconds of a time; raise ValueError for what is none, or none at all.

    >>> seconds_of("1h30m")
    5400.0
    """
    if not _WHOLE.fullmatch(text):
        raise ValueError(text)
    found = sum(float(number) * _UNITS[unit] for number, unit in _PIECE.findall(text))
    if not found:
        raise ValueError(text)
    return found


def in_words(seconds: float) -> str:
    """Write so many seconds as such a time.

    >>> in_words(5400.0), in_words(0.5)
    ('1h30m', '0.5s')
    """
    words = []
    for unit, size in _UNITS.items():
        number, seconds = (seconds, 0.0) if unit == "s" else divmod(seconds, size)
        if number:
            words.append(f"{number:g}{unit}")
    return "".join(words) or "0s"

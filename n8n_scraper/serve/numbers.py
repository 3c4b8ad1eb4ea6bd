"""Read a number that came in an address or a header, where anything may stand."""

from __future__ import annotations

_MOST_DIGITS = 18
"""More would fit into no database, and Python itself refuses to read thousands of them."""


def whole_number(text: str) -> int | None:
    """Give the number that is written in digits alone; None where that is not so."""
    is_written_so = text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
    return int(text) if is_written_so else None

"""Give a long text piece by piece, so that no answer is larger than an assistant can hold."""

from __future__ import annotations

from typing import Any

LONGEST = 12_000
"""Signs of a piece."""


def piece(text: str, start: int) -> dict[str, Any]:
    """Give the piece from a place on, and where the next one begins; none where this is the last.

    A piece ends with a line where there is one in its second half.
    """
    start = min(start, len(text))
    end = min(start + LONGEST, len(text))
    if end < len(text):
        line = text.rfind("\n", start + LONGEST // 2, end)
        end = line + 1 if line >= 0 else end
    return {
        "text": text[start:end],
        "start": start,
        "length": len(text),
        "next_start": end if end < len(text) else None,
    }

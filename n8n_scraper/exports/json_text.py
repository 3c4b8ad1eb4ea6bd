"""Write any value of an item as compact JSON, in the order it has."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import to_json, to_jsonable_python

COMPACT = (",", ":")


def json_text(value: Any) -> str:
    """Give a value, models inside it included, as one line of JSON."""
    return json_bytes(value).decode()


def json_bytes(value: Any) -> bytes:
    """Give the same in UTF-8."""
    try:
        return to_json(value)
    except ValueError:  # half a character, which only an escape can say, or a very deep value
        return json.dumps(value, separators=COMPACT, default=to_jsonable_python).encode()

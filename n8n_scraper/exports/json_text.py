"""Write any value of a template as compact JSON, in the order it has."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import to_jsonable_python

COMPACT = (",", ":")


def json_text(value: Any) -> str:
    """Give a value, models inside it included, as one line of JSON."""
    return json.dumps(value, ensure_ascii=False, separators=COMPACT, default=to_jsonable_python)

"""Read JSON as people write it by hand: with comments, commas too many, entities."""

from __future__ import annotations

import html
import json
import re
from typing import Any

# A string is passed over as a whole, also one that never ends; what is matched outside of strings
# is dropped. Every alternative goes on from where it began, so that time grows with length alone.
_SUPERFLUOUS = re.compile(
    r"""
      (?P<kept>"(?:[^"\\]|\\.)*+"?)
    | /\*(?:.*?\*/|.*+)
    | //[^\n]*+
    | ,(?=\s*+[}\]])
    """,
    re.DOTALL | re.VERBOSE,
)
_FRAME = re.compile(r"\A\s*(?:<!--|/\*\s*<!\[CDATA\[\s*\*/|//\s*<!\[CDATA\[|<!\[CDATA\[)")
_END_OF_FRAME = re.compile(r"(?:-->|/\*\s*\]\]>\s*\*/|//\s*\]\]>|\]\]>)?[\s;]*\Z")


def read_json(text: str) -> Any:
    """Give what the text says; ValueError where it is no JSON, not even loosely."""
    text = text.strip().lstrip("\ufeff")
    for mend in (_as_it_is, _bare, _bare_without_entities):
        try:
            return json.loads(mend(text), strict=False, parse_constant=_no_number)
        except ValueError:
            continue
        except RecursionError:
            raise ValueError("nested too deep") from None
    raise ValueError("no JSON")


def first_json(text: str, at: int) -> Any:
    """Give the JSON that begins at a place of a text, and may be followed by anything."""
    try:
        return json.JSONDecoder(strict=False, parse_constant=_no_number).raw_decode(text, at)[0]
    except RecursionError:
        raise ValueError("nested too deep") from None


def _as_it_is(text: str) -> str:
    return text


def _bare(text: str) -> str:
    framed = _FRAME.sub("", text[:200]) + text[200:]
    framed = framed[:-200] + _END_OF_FRAME.sub("", framed[-200:])
    return _SUPERFLUOUS.sub(lambda match: match["kept"] or "", framed)


def _bare_without_entities(text: str) -> str:
    return _bare(html.unescape(text))


def _no_number(_name: str) -> None:
    """Read NaN and Infinity, which are no numbers of anything, as nothing."""

"""Read JSON that may hold anything: each reader gives the value in the wanted type, or None."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

import msgspec

from n8n_scraper.core.errors import BadContent
from n8n_scraper.policies.failure.answer_size import MOST_PARTS, has_too_many_parts

# No database and no UTF-8 encoder takes these two: lone halves of a surrogate pair, and NUL.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_HALVES = re.compile("[\ud800-\udfff]")
_ESCAPED_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_DEEPEST = 200
# What it takes it reads as Python's own decoder does, in a third of the time.
_DECODER = msgspec.json.Decoder()
_LONGEST_NAME = 300


def load_json(body: bytes) -> Any:
    """Decode a JSON answer, or say why it is none."""
    if has_too_many_parts(body, "json"):
        raise BadContent(f"JSON of more than {MOST_PARTS:,} values")
    try:
        return _shallow(_DECODER.decode(body))
    except RecursionError:
        raise BadContent("JSON nested too deeply") from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return _load_patiently(body)


def _load_patiently(body: bytes) -> Any:
    """Decode what the strict decoder refuses: halves of characters, other encodings, no JSON."""
    try:
        text = body.decode(json.detect_encoding(body), "surrogatepass")
        value = _shallow(json.loads(text, parse_constant=_no_constant, parse_float=_finite))
        return _encodable(value) if _may_hold_halves(text) else value
    except RecursionError:
        raise BadContent("JSON nested too deeply") from None
    except UnicodeDecodeError:
        raise BadContent("JSON that is not UTF-8") from None
    except ValueError as error:
        raise BadContent(f"not JSON: {error}") from None


def load_object(body: bytes) -> dict[str, Any]:
    """Decode a JSON answer that must be an object."""
    value = load_json(body)
    if not isinstance(value, dict):
        raise BadContent(f"JSON {type(value).__name__} where an object was expected")
    return value


def _shallow(value: Any) -> Any:
    """Refuse nesting that nothing real has and that would break every writer after us."""
    level, depth = [value] if isinstance(value, dict | list) else [], 0
    while level:
        depth += 1
        if depth > _DEEPEST:
            raise RecursionError
        level = [
            child
            for parent in level
            for child in (parent.values() if type(parent) is dict else parent)
            if type(child) is dict or type(child) is list
        ]
    return value


def _may_hold_halves(text: str) -> bool:
    written_out = not text.isascii() and _HALVES.search(text)
    return bool(written_out or _ESCAPED_HALF.search(text))


def _encodable(value: Any) -> Any:
    """The same JSON, but without lone halves of a surrogate pair, which no encoder takes."""
    if isinstance(value, str):
        return _HALVES.sub("\ufffd", value)
    if isinstance(value, list):
        return [_encodable(one) for one in value]
    if isinstance(value, dict):
        return {_encodable(key): _encodable(one) for key, one in value.items()}
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{digits[:20]} is beyond what a number can hold")
    return number


def storable(text: str) -> str:
    """Replace the characters that no database takes; the raw answer keeps the original."""
    if text.isascii() and "\0" not in text:  # nearly every one, and known at once
        return text
    return _UNSTORABLE.sub("\ufffd", text)


def shortened(name: str) -> str:
    """A name as part of a message: whole, unless it is one that no person has given."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def text(value: object) -> str | None:
    """A string as given, even an empty one."""
    return storable(value) if isinstance(value, str) else None


def filled(value: object) -> str | None:
    """A string with something in it besides white space."""
    found = text(value)
    return found if found and found.strip() else None


def integer(value: object) -> int | None:
    """A whole number that any database can hold; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if abs(value) < 2**63 else None


def number(value: object) -> float | None:
    """A number of any kind."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def count(value: object) -> int | None:
    """A whole number that counts something, so never below zero."""
    found = integer(value)
    return found if found is not None and found >= 0 else None


def boolean(value: object) -> bool | None:
    """True or false, nothing that merely looks like it."""
    return value if isinstance(value, bool) else None


def listing(value: object) -> list[Any]:
    """A list, or an empty one."""
    return value if isinstance(value, list) else []


def mapping(value: object) -> dict[str, Any]:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def identity(value: object) -> str | None:
    """A template's id as text, whether it is given as number or as digits."""
    found = integer(value)
    if found is not None and found > 0:
        return str(found)
    if isinstance(value, str) and re.fullmatch(r"[1-9][0-9]*", value):
        return value
    return None

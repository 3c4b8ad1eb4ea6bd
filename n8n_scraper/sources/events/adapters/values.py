"""Take words, numbers and pictures out of whatever JSON has in their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

# Where the words are, in an object that stands for them.
_WORDS = (
    *("@value", "text", "rendered", "plain", "name", "title", "value", "label", "raw", "html"),
    *("venue", "organizer", "localized_address_display", "formatted"),
    *("en", "en-US", "en_US", "english", "zh", "tc", "zh-hant", "zh-hk"),
)
_ADDRESSES = ("url", "contentUrl", "src", "href", "@id", "original", "large", "medium", "path")
_MOST_DEEP = 4


def words(value: Any, deep: int = 0) -> str | None:
    """Give the words of a value; of several the first that says anything."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value:.10g}" if isinstance(value, float) else _digits(value)
    if deep >= _MOST_DEEP:
        return None
    return next((found for one in _within(value, _WORDS) if (found := words(one, deep + 1))), None)


def all_words(value: Any) -> list[str]:
    """Give the words of each of several values."""
    several = value if isinstance(value, list) else [value]
    return [found for one in several[:50] if (found := words(one))]


def addresses(value: Any, deep: int = 0) -> list[str]:
    """Give the addresses that a value has: of pictures, or of a page."""
    if isinstance(value, str):
        return [value.strip()] if value.strip() else []
    if deep >= _MOST_DEEP:
        return []
    if isinstance(value, list):
        return [found for one in value[:20] for found in addresses(one, deep + 1)]
    for one in _within(value, _ADDRESSES):
        if found := addresses(one, deep + 1):
            return found
    return []


def degrees(value: Any, most: int) -> float | None:
    """Read a coordinate; None where there is none on earth."""
    try:
        found = float(words(value) or "")
    except ValueError:
        return None
    return found if -most <= found <= most else None


def yes_or_no(value: Any) -> bool | None:
    """Read what is true or false, as it is or in a word; None of anything else."""
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get((words(value) or "").rpartition("/")[2].lower())


def _within(value: Any, names: tuple[str, ...]) -> Iterator[Any]:
    if isinstance(value, Mapping):
        yield from (value[name] for name in names if name in value)
    elif isinstance(value, list):
        yield from value[:20]


def _digits(number: int) -> str | None:
    return str(number) if abs(number) < 10**18 else None

"""Break an answer the way that sites, authors and networks do: with its structure in mind."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

Path = tuple[Any, ...]

HOSTILE: list[Any] = [
    None, True, False, 0, -1, 2**63, -(2**70), 1e308, 0.1, "", " ", "\x00", "\ud800", "x" * 5_000,
    "1.3", "[REDACTED]", "__rl", [], {}, [[]], [None], {"": None}, [[[[[[[[[[]]]]]]]]]],
]  # fmt: skip
FRAGMENTS = [
    "# A\n", "## Setup\n", "**Bold:**\n", "Step 1: Do\n", "1. one\n2. two\n", "🚀 Emoji\ntext\n",
    "```js\ncode\n", "| a | b |\n|---|---|\n| 1 |\n", "<h3>H</h3>", "<img src=x alt=y>",
    "<a href='", "![a](fileId:7)", "![b](https://[)", "[l](javascript:1)", "</div>", "<script>",
    "@[youtube](dQw4w9WgXcQ)", "https://youtu.be/dQw4w9WgXcQ", "https://www.youtube.com/@someone",
    "<!--", "&#xD800;", "*" * 500, "[" * 500, "> " * 300, "- " * 300, "\\" * 99, "\u2028", "\u202e",
    "{{ $json.x }}", "++u++", "<table><tr><td>", "<pre>", "<ul><li>", '{"nodes": [',
    "Last update 2 days ago", "Page not found",
]  # fmt: skip
_TAG = re.compile(r"<[^<>]{1,300}>")


def mutated_json(value: Any, donor: Any, chance: random.Random) -> bytes:
    """Change an answer in one to five places, and now and then its bytes as well."""
    for _ in range(chance.randint(1, 5)):
        value = _changed(value, _any_path(value, chance), donor, chance)
    text = json.dumps(value, ensure_ascii=chance.random() < 0.5)
    body = text.encode("utf-8", "surrogatepass")
    return mutated_bytes(body, chance) if chance.random() < 0.1 else body


def mutated_page(page: str, donor: str, chance: random.Random) -> bytes:
    """Lose, repeat, move and insert tags and texts."""
    for _ in range(chance.randint(1, 6)):
        tags = list(_TAG.finditer(page))
        if not tags:
            break
        found, other = chance.choice(tags), chance.choice(tags)
        start, end = found.span()
        new = chance.choice(
            ["", found[0] * 2, other[0], chance.choice(FRAGMENTS), donor[start : start + 300]]
        )
        page = page[:start] + new + page[end:]
    body = page.encode("utf-8", "replace")
    return mutated_bytes(body, chance) if chance.random() < 0.1 else body


def mutated_bytes(body: bytes, chance: random.Random) -> bytes:
    """Cut an answer short, or turn some of its bytes into others."""
    if chance.random() < 0.5:
        return body[: chance.randint(0, len(body))]
    broken = bytearray(body)
    for _ in range(chance.randint(1, 8)):
        if broken:
            broken[chance.randrange(len(broken))] = chance.randrange(256)
    return bytes(broken)


def _any_path(value: Any, chance: random.Random) -> Path:
    """A way down into the value, as deep as chance has it."""
    path: list[Any] = []
    while isinstance(value, dict | list) and value and (len(path) < 2 or chance.random() < 0.75):
        key = (
            chance.choice(list(value)) if isinstance(value, dict) else chance.randrange(len(value))
        )
        path.append(key)
        value = value[key]
    return tuple(path)


def _changed(value: Any, path: Path, donor: Any, chance: random.Random) -> Any:
    """The same value with something else at the end of the path; nothing is changed in place."""
    if not path:
        return chance.choice(_CHANGES)(value, donor, chance)
    key, rest = path[0], path[1:]
    copy = dict(value) if isinstance(value, dict) else list(value)
    if not rest and chance.random() < 0.2:
        del copy[key]
    elif not rest and chance.random() < 0.1 and isinstance(copy, dict):
        copy[chance.choice([*copy, "main", "", "\ud83d"])] = copy.pop(key)
    elif not rest and chance.random() < 0.1 and isinstance(copy, list):
        copy.extend([copy[key]] * chance.randint(1, 20))
    else:
        copy[key] = _changed(value[key], rest, donor, chance)
    return copy


def _hostile(_: Any, __: Any, chance: random.Random) -> Any:
    return chance.choice(HOSTILE)


def _wrapped(value: Any, _: Any, chance: random.Random) -> Any:
    return chance.choice([[value], {"0": value}, [value, value], str(value)[:2_000]])


def _borrowed(_: Any, donor: Any, chance: random.Random) -> Any:
    for key in _any_path(donor, chance):
        donor = donor[key]
    return donor


def _rewritten(value: Any, _: Any, chance: random.Random) -> Any:
    """A text with something inserted, or a number a little further on."""
    if isinstance(value, str):
        place = chance.randint(0, len(value))
        return value[:place] + chance.choice(FRAGMENTS) + value[place:]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value * chance.choice([-1, 0, 2, 1e9, 10**30])
    return chance.choice(FRAGMENTS)


_CHANGES: list[Callable[[Any, Any, random.Random], Any]] = [
    _hostile, _wrapped, _borrowed, _rewritten, _rewritten,
]  # fmt: skip

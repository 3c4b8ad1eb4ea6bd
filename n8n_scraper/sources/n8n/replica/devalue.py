"""Writes data the way Nuxt embeds it in a page: one flat array whose numbers are references."""

import json
from typing import Any


def devalue(value: object) -> str:
    """Flatten a value; equal texts and numbers are written once and referred to."""
    writer = _Writer()
    writer.add(value)
    text = json.dumps(writer.entries, ensure_ascii=False, separators=(",", ":"))
    # The real script escapes slashes so that no text can end the script element.
    return text.replace("/", "\\u002F").replace("<", "\\u003C")


class Tagged:
    """Wraps a value in one of Vue's markers, such as ``ShallowReactive``."""

    def __init__(self, tag: str, value: object) -> None:
        self.tag = tag
        self.value = value


class _Writer:
    def __init__(self) -> None:
        self.entries: list[Any] = []
        self._known: dict[tuple[type, Any], int] = {}

    def add(self, value: object) -> int:
        if isinstance(value, (str, int, float, bool, type(None))):
            return self._add_plain(value)
        place = self._reserve()
        if isinstance(value, Tagged):
            self.entries[place] = [value.tag, self.add(value.value)]
        elif isinstance(value, dict):
            self.entries[place] = {str(key): self.add(part) for key, part in value.items()}
        elif isinstance(value, (list, tuple)):
            self.entries[place] = [self.add(part) for part in value]
        else:
            raise TypeError(f"cannot embed {value!r} in a page")
        return place

    def _add_plain(self, value: object) -> int:
        key = (type(value), value)
        if key not in self._known:
            self._known[key] = self._reserve(value)
        return self._known[key]

    def _reserve(self, value: object = None) -> int:
        self.entries.append(value)
        return len(self.entries) - 1

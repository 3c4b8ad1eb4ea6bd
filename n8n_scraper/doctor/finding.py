"""What was found of one thing, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class State(StrEnum):
    """How a thing stands, the best first."""

    OK = "ok"
    WARN = "warn"  # a crawl can begin, and somebody should look
    BAD = "bad"  # a crawl cannot, or must not, begin


@dataclass(frozen=True, slots=True)
class Finding:
    """One line."""

    name: str
    state: State
    words: str
    remedy: str = ""
    """What to do; empty where nothing has to be done."""

    def line(self) -> str:
        """Tell a person."""
        remedy = f" → {self.remedy}" if self.remedy else ""
        return f"{self.state:<5}{self.name:<13}{self.words}{remedy}"

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        return {
            "name": self.name,
            "state": str(self.state),
            "words": self.words,
            "remedy": self.remedy or None,
        }


def ok(name: str, words: str) -> Finding:
    """Say that all is well."""
    return Finding(name, State.OK, words)


def warn(name: str, words: str, remedy: str = "") -> Finding:
    """Say that a look is worth it."""
    return Finding(name, State.WARN, words, remedy)


def bad(name: str, words: str, remedy: str = "") -> Finding:
    """Say that it does not work so."""
    return Finding(name, State.BAD, words, remedy)


def worst(findings: Iterable[Finding]) -> State:
    """Give the worst of all."""
    order = list(State)
    return max((one.state for one in findings), key=order.index, default=State.OK)

"""What a stand-in plays: the invented stock of a source, and how the source's site answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from re import Pattern
from typing import Any, Generic, Protocol, TypeVar

from n8n_scraper.testing.replica.answer import Answer
from n8n_scraper.testing.replica.switches import Switches

T = TypeVar("T")


class Site(Protocol):
    """Answers as the real site would, on a good day and on a bad one."""

    def answer(self, site_url: str, target: str) -> Answer:
        """Give the good answer for a path with its query, or the honest 404."""

    def error(self, status: int, url: str, message: str = ...) -> Answer:
        """Tell of an error in the words of the site."""

    def instead(self, kind: str, answer: Answer) -> Answer | None:
        """Give what is sent in place of a good answer; None where this site knows no such fault."""

    def elsewhere(self, target: str) -> str:
        """Give the path of another item, whose answer is then given for this one."""

    def headers(self, seq: int) -> Mapping[str, str]:
        """Give the headers that the site puts on every answer."""


@dataclass(frozen=True, slots=True)
class Script(Generic[T]):
    """A stand-in before it runs: whom it stands in for, with what stock, and how it answers."""

    name: str
    """What the real site is called."""
    noun: str
    """What people call its items; the option that says how many there are is called so too."""
    module: str
    """The module that runs it by `python -m`."""
    size: int
    seed: int
    switches: type[Switches]
    stock: Callable[[int, int, Any], T]
    """Invents a stock by size, seed and switches."""
    site: Callable[[T, Any], Site]
    kinds: tuple[tuple[str, Pattern[str]], ...]
    """What the paths ask for, by the pattern that they begin with; the first that fits counts."""
    running: type[Any] | None = None
    """The kind of `Running` that a running one is, where it can tell more of its stock."""

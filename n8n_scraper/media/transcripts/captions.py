"""Decide which captions of a video to take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar


class Captions(Protocol):
    """What must be known of captions to choose among them."""

    @property
    def language_code(self) -> str:
        """As in `en` or `en-GB`."""

    @property
    def is_generated(self) -> bool:
        """Whether a machine wrote them down."""


C = TypeVar("C", bound=Captions)


def choose(offered: Iterable[C], languages: Sequence[str]) -> C | None:
    """Take the most wanted language, and of one language what a person wrote before a machine.

    `en` also takes `en-GB` where there is no plain `en`. Where none of the languages is offered,
    any other will do. Among equals the host's order counts.
    """
    ranked = sorted(offered, key=lambda captions: _rank(captions, languages))
    return ranked[0] if ranked else None


def joined(texts: Iterable[str]) -> str:
    """Make one text of the segments' texts, with single spaces."""
    return " ".join(" ".join(texts).split())


def _rank(captions: Captions, languages: Sequence[str]) -> tuple[int, int, bool]:
    code = captions.language_code.lower()
    for place, language in enumerate(languages):
        if code == language:
            return place, 0, captions.is_generated
        if code.startswith(f"{language}-"):
            return place, 1, captions.is_generated
    return len(languages), 0, captions.is_generated

"""How a service stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class State(StrEnum):
    """What may be true of a service."""

    HEALTHY = "healthy"
    TO_BE_MADE = "to be made"  # it comes into being by itself where it is first used
    UNHEALTHY = "not healthy"
    NOT_NEEDED = "not needed"


@dataclass(frozen=True, slots=True)
class Health:
    """A state, and the words that explain it."""

    state: State
    words: str

    @classmethod
    def healthy(cls, words: str) -> Self:
        """It does its work."""
        return cls(State.HEALTHY, words)

    @classmethod
    def unhealthy(cls, words: str) -> Self:
        """It does not, for this reason."""
        return cls(State.UNHEALTHY, words)

    @property
    def is_ready(self) -> bool:
        """Whether work can begin as far as this service goes."""
        return self.state is not State.UNHEALTHY

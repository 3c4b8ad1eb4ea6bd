"""What an item was taken for, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Record = Mapping[str, Any]


class Announced(StrEnum):
    """What a page that lists events may announce."""

    EVENT = "event"
    ATTRACTION = "attraction"
    """It is always there, as a museum or a ride."""
    INVALID = "invalid"
    """It is no announcement at all, as an entry of a menu."""


@dataclass(frozen=True, slots=True)
class Classified:
    """What an item is taken for."""

    kind: Announced
    confidence: float
    """From 0 to 1."""
    reasons: tuple[str, ...]
    """What speaks for it and against it, the weightiest first."""


@dataclass(frozen=True, slots=True)
class Classification:
    """Where the items of a source say what they are."""

    fields: tuple[str, ...]
    """What has to be looked at to tell; a record has these."""
    of: Callable[[Record], Classified]
    """Gives what an item is taken for; it is total."""

"""What becomes of a doubt: a person says what an item is, or two days do."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from n8n_scraper.core.classified import Announced, Classified

SURE: Final = 0.7
"""From this confidence on nobody is asked."""
WAITS_FOR: Final = timedelta(hours=48)
"""Then what the item was taken for holds."""


class Verdict(StrEnum):
    """What a person says of an item."""

    ACCEPTED = "accepted"
    """It is an event."""
    REJECTED = "rejected"
    """It is none."""


class Standing(StrEnum):
    """How an item stands of which it is or was doubtful what it is."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    PASSED = "passed"
    """Nobody has said anything in time: what it was taken for holds."""


def is_doubtful(found: Classified) -> bool:
    """Whether a person should look."""
    return found.confidence < SURE


def standing(verdict: Verdict | None, asked_at: str, now: str) -> Standing:
    """Say how an item stands by what a person has said, else by how long it has waited."""
    if verdict is not None:
        return Standing(verdict.value)
    waited = datetime.fromisoformat(now) - datetime.fromisoformat(asked_at)
    return Standing.PASSED if waited >= WAITS_FOR else Standing.WAITING


def is_event(found: Classified, verdict: Verdict | None) -> bool:
    """Whether an item counts as an event: by a person's word, else by what it was taken for."""
    if verdict is not None:
        return verdict is Verdict.ACCEPTED
    return found.kind is Announced.EVENT

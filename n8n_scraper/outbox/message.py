"""A message to the outside, before it is written down and when it is about to be sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from n8n_scraper.core.source import Noun

MESSAGES = Noun("message", "messages")


@dataclass(frozen=True, slots=True)
class NewMessage:
    """What is to be told."""

    channel: str
    key: str
    """What it is about: it takes the place of an earlier message of the same key."""
    payload: Mapping[str, Any]
    patience_seconds: float
    """After how long it makes no sense any more."""
    topic: str = ""
    stage: int = 0
    """It waits until all of an earlier stage of its topic have ended."""
    is_due: bool = True
    """False: it is kept until it is released, or written again as one that is due."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message in the hands of a sender."""

    number: int
    key: str
    topic: str
    stage: int
    payload: Mapping[str, Any]
    revision: int
    in_doubt: bool
    """Whether it may have been taken before: then the other side is asked first."""


@dataclass(frozen=True, slots=True)
class Standings:
    """How many messages of a channel stand where."""

    waiting: int = 0
    """Sent as soon as that is possible, those that are being sent included."""
    sent: int = 0
    given_up: int = 0
    last_error: str | None = None
    """Why the last one that failed was not taken."""
    next_in_seconds: float | None = None
    """After how long something may be sent; None where nothing is to be."""

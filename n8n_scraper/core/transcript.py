"""What a video says, or why that could not be had: the same of every item that names it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from n8n_scraper.core.item import Value


class TranscriptOutcome(StrEnum):
    """How asking the video host for a video's words ended."""

    OK = "ok"
    NO_CAPTIONS = "no_captions"  # nobody has written them down
    DISABLED = "disabled"  # the video has no captions to offer
    PRIVATE = "private"
    REMOVED = "removed"
    AGE_LIMITED = "age_limited"
    BLOCKED = "blocked"  # the host refuses us, and says nothing of the video
    FAILED = "failed"  # there was no answer that can be understood
    PENDING = "pending"  # not asked yet


FINAL = frozenset(
    {
        TranscriptOutcome.OK,
        TranscriptOutcome.NO_CAPTIONS,
        TranscriptOutcome.DISABLED,
        TranscriptOutcome.PRIVATE,
        TranscriptOutcome.REMOVED,
        TranscriptOutcome.AGE_LIMITED,
    }
)
"""What speaks of the video itself: it is kept for good, and the video is not asked for again."""


class Segment(Value):
    """What is said in a video from one moment on, in seconds."""

    start: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    duration: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    text: str


class Transcript(Value):
    """What one video says, or why that could not be had."""

    video_id: str
    outcome: Annotated[TranscriptOutcome, Field(strict=False)]
    language: str | None = None
    generated: bool | None = None
    segments: list[Segment] = Field(default_factory=list)
    text: str | None = None
    reason: str | None = None

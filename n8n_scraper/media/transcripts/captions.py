"""Decides which captions of a video to take, and what is still to be asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from n8n_scraper.sources.n8n.item import Transcript, TranscriptOutcome

PATIENCE = 5
"""How often a video that fails is asked for again by itself; later only at a person's word."""

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


class Captions(Protocol):
    """What must be known of captions to choose among them."""

    @property
    def language_code(self) -> str:
        """As in `en` or `en-GB`."""

    @property
    def is_generated(self) -> bool:
        """Whether a machine wrote them down."""


C = TypeVar("C", bound=Captions)


def is_due(outcome: TranscriptOutcome, attempts: int, *, retry_failed: bool = False) -> bool:
    """Tell whether a video is to be asked for (again)."""
    if outcome in FINAL:
        return False
    return outcome is not TranscriptOutcome.FAILED or attempts < PATIENCE or retry_failed


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


def settle(
    video_ids: Sequence[str], known: Mapping[str, Transcript]
) -> tuple[list[Transcript] | None, str | None]:
    """Give a template's transcripts, or None and the reason while nothing is known of any.

    As soon as one video is settled there is one entry a video, in the order of the videos; the
    others say of themselves that they are still to come.
    """
    entries = [known.get(video_id) or _pending(video_id) for video_id in video_ids]
    if entries and not any(entry.outcome in FINAL for entry in entries):
        return None, "; ".join(dict.fromkeys(_why_pending(entry) for entry in entries))
    return entries, None


def _rank(captions: Captions, languages: Sequence[str]) -> tuple[int, int, bool]:
    code = captions.language_code.lower()
    for place, language in enumerate(languages):
        if code == language:
            return place, 0, captions.is_generated
        if code.startswith(f"{language}-"):
            return place, 1, captions.is_generated
    return len(languages), 0, captions.is_generated


def _pending(video_id: str) -> Transcript:
    return Transcript(video_id=video_id, outcome=TranscriptOutcome.PENDING)


def _why_pending(entry: Transcript) -> str:
    match entry.outcome:
        case TranscriptOutcome.BLOCKED:
            return "the video host refuses to answer us; it will be asked again"
        case TranscriptOutcome.FAILED:
            return f"the video host could not be asked: {entry.reason}"
        case _:
            return "the video host has not been asked yet"

"""Decide what an item says of its videos, and which of them are still to be asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from n8n_scraper.core.transcript import FINAL, Transcript, TranscriptOutcome

PATIENCE = 5
"""How often a video that fails is asked for again by itself; later only at a person's word."""


def is_due(outcome: TranscriptOutcome, attempts: int, *, retry_failed: bool = False) -> bool:
    """Tell whether a video is to be asked for (again)."""
    if outcome in FINAL:
        return False
    return outcome is not TranscriptOutcome.FAILED or attempts < PATIENCE or retry_failed


def settle(
    video_ids: Sequence[str], known: Mapping[str, Transcript]
) -> tuple[list[Transcript] | None, str | None]:
    """Give an item's transcripts, or None and the reason while nothing is known of any.

    As soon as one video is settled there is one entry a video, in the order of the videos; the
    others say of themselves that they are still to come.
    """
    entries = [known.get(video_id) or _pending(video_id) for video_id in video_ids]
    if entries and not any(entry.outcome in FINAL for entry in entries):
        return None, "; ".join(dict.fromkeys(_why_pending(entry) for entry in entries))
    return entries, None


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

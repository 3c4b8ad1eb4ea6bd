"""Read from the host's own status of a video what its being unplayable means.

The library tells apart what the host says most often; the rest it passes on as "unplayable". Here
too it is the status code that decides, and the whole value of its `reason` only where one code
stands for several things. What is not listed is not guessed: it counts as failed, so that a new
wording of a refusal is never kept as a fact about the video.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from n8n_scraper.core.transcript import TranscriptOutcome

_BY_STATUS = {
    "AGE_CHECK_REQUIRED": TranscriptOutcome.AGE_LIMITED,
    "AGE_VERIFICATION_REQUIRED": TranscriptOutcome.AGE_LIMITED,
    "CONTENT_CHECK_REQUIRED": TranscriptOutcome.AGE_LIMITED,
}
_BY_REASON = {
    ("LOGIN_REQUIRED", "Private video"): TranscriptOutcome.PRIVATE,
    ("LOGIN_REQUIRED", "This video is private"): TranscriptOutcome.PRIVATE,
    (
        "LOGIN_REQUIRED",
        "This is a private video. Please sign in to verify that you may see it.",
    ): TranscriptOutcome.PRIVATE,
    ("LOGIN_REQUIRED", "Sign in to confirm your age"): TranscriptOutcome.AGE_LIMITED,
    ("LOGIN_REQUIRED", "Sign in to confirm you're not a bot"): TranscriptOutcome.BLOCKED,
    ("ERROR", "This video is private"): TranscriptOutcome.PRIVATE,
    ("ERROR", "This video is private."): TranscriptOutcome.PRIVATE,
    ("ERROR", "Video unavailable"): TranscriptOutcome.REMOVED,
    ("ERROR", "This video isn't available anymore"): TranscriptOutcome.REMOVED,
    ("ERROR", "This video has been removed by the uploader"): TranscriptOutcome.REMOVED,
}


def outcome_of(playability: dict[str, Any] | None) -> TranscriptOutcome:
    """Name what the host's status says; `failed` where that is not certain."""
    status = str((playability or {}).get("status"))
    if outcome := _BY_STATUS.get(status):
        return outcome
    # What is said about a video in particular comes before what its heading says in general.
    for words in _words(playability or {}):
        if outcome := _BY_REASON.get((status, _plain(words))):
            return outcome
    return TranscriptOutcome.FAILED


def _words(playability: dict[str, Any]) -> Iterator[str]:
    screen = _inside(playability, "errorScreen", "playerErrorMessageRenderer", "subreason")
    if isinstance(screen, dict):
        yield str(screen.get("simpleText"))
        runs = screen.get("runs")
        if isinstance(runs, list):
            yield "".join(str(run.get("text", "")) for run in runs if isinstance(run, dict))
    messages = playability.get("messages")
    if isinstance(messages, list):
        yield from map(str, messages)
    yield str(playability.get("reason"))


def _inside(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _plain(words: str) -> str:
    return words.strip().replace("’", "'")

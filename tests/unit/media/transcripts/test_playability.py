"""What the host's own status of a video means."""

import pytest

from n8n_scraper.core.transcript import TranscriptOutcome
from n8n_scraper.media.transcripts.playability import outcome_of


@pytest.mark.parametrize(
    "odd",
    [
        None,
        {},
        {"status": "UNPLAYABLE", "reason": "Join this channel"},
        {"status": "LIVE_STREAM_OFFLINE"},
        {"status": "ERROR", "reason": "An error occurred. Please try again later."},
        # A title may say anything; only the whole of the host's own words counts.
        {"status": "LOGIN_REQUIRED", "reason": "Why 'This video is private' is shown"},
        {"status": "OK", "reason": "Private video"},
        {"status": 7, "reason": ["Private video"], "messages": "no list", "errorScreen": []},
        {"status": "ERROR", "errorScreen": {"playerErrorMessageRenderer": {"subreason": "?"}}},
    ],
)
def test_what_is_not_certain_is_no_fact_about_the_video(odd: dict | None) -> None:
    assert outcome_of(odd) is TranscriptOutcome.FAILED


def test_what_is_said_in_particular_comes_before_the_heading() -> None:
    private = {
        "playerErrorMessageRenderer": {"subreason": {"simpleText": "This video is private."}}
    }

    said = {"status": "ERROR", "reason": "Video unavailable", "errorScreen": private}

    assert outcome_of(said) is TranscriptOutcome.PRIVATE


def test_a_refusal_with_another_apostrophe_is_still_a_refusal() -> None:
    said = {"status": "LOGIN_REQUIRED", "reason": "Sign in to confirm you're not a bot"}

    assert outcome_of(said) is TranscriptOutcome.BLOCKED

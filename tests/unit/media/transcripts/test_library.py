"""Every end that asking for a video can have: the real library, real HTTP."""

import pytest

from n8n_scraper.core.transcript import Segment, Transcript, TranscriptOutcome
from n8n_scraper.testing.video_host import BEHAVIOURS, RunningVideoHost, Track
from tests.unit.media.transcripts.making import VIDEO, video_host

ENDS = {
    "ok": "ok",
    "no_captions": "no_captions",
    "empty_captions": "no_captions",
    "withheld_captions": "blocked",
    "garbled_captions": "failed",
    "disabled": "disabled",
    "private": "private",
    "removed": "removed",
    "deleted_by_uploader": "removed",
    "age_limited": "age_limited",
    "age_check": "age_limited",
    "not_a_bot": "blocked",
    "unheard_of_login": "failed",
    "po_token": "blocked",
    "too_many_requests": "blocked",
    "captcha": "blocked",
    "consent": "ok",
    "endless_consent": "blocked",
    "server_error": "failed",
    "unreadable": "failed",
    "hang_up": "failed",
    "garbled_player": "failed",
    "bottomless_player": "failed",
}


def test_the_table_names_every_behaviour() -> None:
    assert set(ENDS) == set(BEHAVIOURS)


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_every_answer_of_the_host_has_its_own_outcome(
    behaviour: str, stand_in: RunningVideoHost
) -> None:
    stand_in.behaviour = behaviour

    transcript = video_host(stand_in).fetch(VIDEO)

    assert transcript.outcome == ENDS[behaviour]
    assert (transcript.text is not None) is (transcript.outcome is TranscriptOutcome.OK)
    assert (transcript.reason is None) is (transcript.outcome is TranscriptOutcome.OK)


def test_a_transcript_has_its_segments_with_their_times(stand_in: RunningVideoHost) -> None:
    assert video_host(stand_in).fetch(VIDEO) == Transcript(
        video_id=VIDEO,
        outcome=TranscriptOutcome.OK,
        language="en",
        generated=False,
        segments=[
            Segment(start=0.0, duration=1.5, text="Hello & welcome"),
            Segment(start=1.5, duration=2.25, text="to this workflow"),
        ],
        text="Hello & welcome to this workflow",
    )


@pytest.mark.parametrize(
    ("offered", "language", "generated"),
    [
        ([Track("en", generated=True), Track("en")], "en", False),
        ([Track("de"), Track("en", generated=True)], "en", True),
        ([Track("fr", generated=True), Track("ja")], "ja", False),
    ],
)
def test_the_wanted_language_is_taken_or_else_any(
    offered: list[Track], language: str, generated: bool, stand_in: RunningVideoHost
) -> None:
    stand_in.tracks[VIDEO] = offered

    transcript = video_host(stand_in, languages=("en",)).fetch(VIDEO)

    assert (transcript.language, transcript.generated) == (language, generated)


def test_a_refusal_that_nobody_has_heard_of_is_not_kept_as_a_fact_about_the_video(
    stand_in: RunningVideoHost,
) -> None:
    stand_in.behaviour = "unheard_of_login"

    transcript = video_host(stand_in).fetch(VIDEO)

    assert transcript.outcome is TranscriptOutcome.FAILED
    assert transcript.reason == "VideoUnplayable, LOGIN_REQUIRED"


def test_a_host_that_is_not_there_is_a_failure_and_names_no_proxy() -> None:
    nowhere = RunningVideoHost(url="http://127.0.0.1:9")

    transcript = video_host(nowhere, proxy="http://user:s3cret@127.0.0.1:9").fetch(VIDEO)

    assert (transcript.outcome, transcript.reason) == (
        TranscriptOutcome.FAILED,
        "the host could not be reached (ProxyError)",
    )

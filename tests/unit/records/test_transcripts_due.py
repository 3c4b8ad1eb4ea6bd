"""What an item says of its videos, and which are still to be asked for."""

import pytest

from n8n_scraper.core.transcript import FINAL, Transcript, TranscriptOutcome
from n8n_scraper.records.transcripts_due import PATIENCE, is_due, settle


@pytest.mark.parametrize("outcome", TranscriptOutcome)
def test_a_video_is_due_until_something_is_known_of_it_for_good(
    outcome: TranscriptOutcome,
) -> None:
    assert is_due(outcome, attempts=1) is (outcome not in FINAL)


def test_a_video_that_keeps_failing_is_asked_for_at_a_persons_word_only() -> None:
    assert is_due(TranscriptOutcome.FAILED, PATIENCE - 1)
    assert not is_due(TranscriptOutcome.FAILED, PATIENCE)
    assert is_due(TranscriptOutcome.FAILED, PATIENCE, retry_failed=True)


def test_a_video_that_was_blocked_stays_due_however_often() -> None:
    assert is_due(TranscriptOutcome.BLOCKED, 1000)


def test_an_item_without_videos_has_an_empty_list() -> None:
    assert settle([], {}) == ([], None)


def test_an_item_has_no_list_while_nothing_is_known_of_its_videos() -> None:
    blocked = Transcript(video_id="a", outcome=TranscriptOutcome.BLOCKED)

    transcripts, reason = settle(["a", "b"], {"a": blocked})

    assert transcripts is None
    assert reason is not None
    assert "refuses" in reason
    assert "not been asked" in reason


def test_an_item_with_one_known_video_has_an_entry_for_each_in_their_order() -> None:
    known = Transcript(video_id="b", outcome=TranscriptOutcome.NO_CAPTIONS)

    transcripts, reason = settle(["a", "b"], {"b": known})

    assert reason is None
    assert transcripts == [
        Transcript(video_id="a", outcome=TranscriptOutcome.PENDING),
        known,
    ]


def test_an_item_says_how_its_video_failed() -> None:
    failed = Transcript(video_id="a", outcome=TranscriptOutcome.FAILED, reason="ReadTimeout")

    assert settle(["a"], {"a": failed}) == (None, "the video host could not be asked: ReadTimeout")

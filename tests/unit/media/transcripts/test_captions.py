"""Which captions to take, and what is still to be asked for."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.media.transcripts.captions import FINAL, PATIENCE, choose, is_due, joined, settle
from n8n_scraper.sources.n8n.item import Transcript, TranscriptOutcome


@dataclass(frozen=True)
class Captions:
    language_code: str
    is_generated: bool = False


def given_as(*codes: str) -> list[Captions]:
    """`en*` is what a machine wrote down."""
    return [Captions(code.rstrip("*"), code.endswith("*")) for code in codes]


@pytest.mark.parametrize(
    ("offered", "languages", "taken"),
    [
        (["de", "en"], ["en"], "en"),
        (["en*", "en"], ["en"], "en"),  # a person before a machine
        (["de", "en*"], ["en"], "en*"),  # the language before the person
        (["de*", "en"], ["de", "en"], "de*"),  # the first language before the second
        (["en-GB", "de"], ["en"], "en-GB"),
        (["en-GB", "en*"], ["en"], "en*"),  # the plain language before a country's
        (["pt-BR"], ["pt-br"], "pt-BR"),  # letter case is no difference
        (["eng", "fr"], ["en"], "eng"),  # `eng` is not `en`: both are any other language
        (["fr*", "fr"], ["en"], "fr"),  # of any other language, too, the person first
        (["ja", "fr"], [], "ja"),  # the host's order
    ],
)
def test_the_most_wanted_captions_are_taken(
    offered: list[str], languages: list[str], taken: str
) -> None:
    assert choose(given_as(*offered), languages) == given_as(taken)[0]


def test_nothing_is_taken_where_nothing_is_offered() -> None:
    assert choose([], ["en"]) is None


CODES = st.sampled_from(["en", "en-GB", "de", "fr", "pt-BR"])


@given(st.lists(st.builds(Captions, CODES, st.booleans()), min_size=1), st.lists(CODES))
def test_some_captions_are_always_taken_and_never_a_machines_beside_a_persons(
    offered: list[Captions], languages: list[str]
) -> None:
    taken = choose(offered, [language.lower() for language in languages])

    assert taken in offered
    assert not (taken.is_generated and Captions(taken.language_code) in offered)


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


def test_a_template_without_videos_has_an_empty_list() -> None:
    assert settle([], {}) == ([], None)


def test_a_template_has_no_list_while_nothing_is_known_of_its_videos() -> None:
    blocked = Transcript(video_id="a", outcome=TranscriptOutcome.BLOCKED)

    transcripts, reason = settle(["a", "b"], {"a": blocked})

    assert transcripts is None
    assert reason is not None
    assert "refuses" in reason
    assert "not been asked" in reason


def test_a_template_with_one_known_video_has_an_entry_for_each_in_their_order() -> None:
    known = Transcript(video_id="b", outcome=TranscriptOutcome.NO_CAPTIONS)

    transcripts, reason = settle(["a", "b"], {"b": known})

    assert reason is None
    assert transcripts == [
        Transcript(video_id="a", outcome=TranscriptOutcome.PENDING),
        known,
    ]


def test_segments_are_joined_with_single_spaces() -> None:
    assert joined(["Hello\nall ", " of  you", ""]) == "Hello all of you"


def test_a_template_says_how_its_video_failed() -> None:
    failed = Transcript(video_id="a", outcome=TranscriptOutcome.FAILED, reason="ReadTimeout")

    assert settle(["a"], {"a": failed}) == (None, "the video host could not be asked: ReadTimeout")

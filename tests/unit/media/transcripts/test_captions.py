"""Which captions to take."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.media.transcripts.captions import choose, joined


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


def test_segments_are_joined_with_single_spaces() -> None:
    assert joined(["Hello\nall ", " of  you", ""]) == "Hello all of you"

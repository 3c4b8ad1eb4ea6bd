"""One form for what people write in several."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from n8n_scraper.policies.sameness.places import (
    CITIES,
    PARTS_OF_CITIES,
    USUAL_WORDS,
    USUAL_WORDS_OF_HAN,
    VENUES,
)
from n8n_scraper.policies.sameness.variants import SAME_CHARACTER
from n8n_scraper.policies.sameness.words import plain


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café del Mar", "CAFE DEL MAR"),
        ("Ｌａ　Traviata", "La Traviata"),
        ("Mozart’s “Requiem”", "Mozarts Requiem"),
        ("Rock & Roll", "Rock and Roll"),
        ("燈下 夜曲 Live", "燈下夜曲live"),
        ("國際藝術節", "国际艺術节"),
        ("臺北", "台北"),
        ("ＡＢＣ ① ㈱", "abc 1 株"),
    ],
)
def test_what_is_written_in_two_ways_is_the_same(one: str, other: str) -> None:
    assert plain(one) == plain(other)


@pytest.mark.parametrize(("one", "other"), [("發", "髮"), ("夜曲", "夜宴"), ("Part 1", "Part 2")])
def test_what_is_another_word_stays_one(one: str, other: str) -> None:
    assert plain(one) != plain(other)


@given(st.text(max_size=30))
@settings(max_examples=60, deadline=None)
def test_a_plain_text_is_as_plain_as_can_be(text: str) -> None:
    assert plain(plain(text)) == plain(text)


def test_each_character_stands_for_one_that_stands_for_itself() -> None:
    assert not [one for one in SAME_CHARACTER.values() if ord(one) in SAME_CHARACTER]


def test_what_is_known_of_places_is_written_as_it_is_looked_for() -> None:
    names = [
        *sum(CITIES, ()),
        *PARTS_OF_CITIES,
        *sum(VENUES, ()),
        *USUAL_WORDS,
        *USUAL_WORDS_OF_HAN,
    ]

    assert [one for one in names if plain(one) != one] == []
    for known in (CITIES, VENUES):
        all_names = sum(known, ())
        assert len(all_names) == len(set(all_names))

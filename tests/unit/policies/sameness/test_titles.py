"""Titles of one happening, and of others that sound like it."""

import pytest

from n8n_scraper.policies.sameness.titles import SAME_TITLE, Title, is_near, read_title, similarity


def titles(one: str, other: str) -> tuple[Title, Title]:
    ready = read_title(one), read_title(other)
    assert ready[0] is not None
    assert ready[1] is not None
    return ready[0], ready[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Nocturnes by Lamplight", "Nocturnes by Lamplights"),
        ("Ada Lau: Nocturnes by Lamplight", "Nocturnes by Lamplight – Ada Lau"),
        ("The Long Way Home (Cancelled)", "The Long Way Home"),
        ("歸途【延期】", "歸途"),
    ],
)
def test_one_happening_in_other_words(one: str, other: str) -> None:
    assert similarity(*titles(one, other)) >= SAME_TITLE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Piano Recital Series I", "Piano Recital Series II"),
        ("Piano Recital Series 1", "Piano Recital Series 2"),
        ("Calligraphy for Beginners, Class A", "Calligraphy for Beginners, Class B"),
        ("香港歷史文化講座系列之中國書法藝術 (一)", "香港歷史文化講座系列之中國書法藝術 (二)"),
    ],
)
def test_the_parts_of_a_series_have_other_numbers(one: str, other: str) -> None:
    first, second = titles(one, other)

    assert similarity(first, second) >= SAME_TITLE
    assert first.numbers != second.numbers
    assert not is_near(first, second)


def test_a_year_tells_no_two_parts_apart() -> None:
    first, second = titles("Harbour Arts Festival 2026: Drums", "Harbour Arts Festival: Drums")

    assert first.numbers == second.numbers


@pytest.mark.parametrize("text", ["", "  ", "--", "★★★", "(Cancelled)"])
def test_what_has_no_words_is_no_title(text: str) -> None:
    assert read_title(text) is None


def test_a_title_within_a_longer_one_is_near_it() -> None:
    assert is_near(*titles("The Lantern Tour", "Ada Lau | The Lantern Tour, live in Macao"))
    assert not is_near(*titles("The Lantern Tour", "Storytelling for Children"))

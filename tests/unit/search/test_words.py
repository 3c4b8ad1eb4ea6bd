"""The words of a text: the same for what is stored and what is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.search.words import LONGEST, WORD, composed, fold, stem, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Slack & Google Sheets", ["slack", "google", "sheets"]),
        ("n8n-nodes-base.httpRequest", ["n8n", "nodes", "base", "httprequest"]),
        ("don't", ["don", "t"]),
        ("Configuração ÜBER Łódź", ["configuracao", "uber", "lodz"]),
        ("cafe\u0301", ["cafe"]),
        ("粵劇 opera", ["粵", "劇", "opera"]),
        ('\0 "*(){}:^ - \u202e', []),
        ("_a_b", ["a", "b"]),
    ],
)
def test_case_accents_and_signs_do_not_count(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    "forms",
    [
        ("automate", "automated", "automates", "automating"),
        ("invoice", "invoices"),
        ("company", "companies"),
        ("notification", "notifications"),
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["n8n", "gpt4", "粵", "ai", "straße"])
def test_what_is_no_plain_english_word_is_its_own_stem(word: str) -> None:
    assert stem(word) == word


@given(st.text())
def test_a_folded_text_has_every_sign_in_its_place(text: str) -> None:
    assert len(fold(text)) == len(text)


@given(st.text(max_size=200))
def test_a_word_is_letters_and_digits_and_no_longer_than_the_longest(text: str) -> None:
    for word in words_of(text):
        assert word == word.lower() or not word.isascii()
        assert WORD.fullmatch(word)
        assert 1 <= len(word) <= LONGEST


@given(st.text())
def test_composing_and_folding_twice_changes_nothing(text: str) -> None:
    assert words_of(text) == words_of(composed(text))

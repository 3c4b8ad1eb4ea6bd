"""The word that was meant."""

import pytest

from n8n_scraper.search.typos import Vocabulary

VOCABULARY = Vocabulary(
    [("slack", 500), ("snack", 3), ("stack", 90), ("telegram", 300), ("invoice", 70), ("a1b", 9)]
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("slak", "slack"),
        ("salck", "slack"),
        ("telegarm", "telegram"),
        ("invoyce", "invoice"),
        ("klack", "slack"),
    ],
)
def test_the_word_with_the_fewest_slips_is_meant_and_of_several_the_frequent_one(
    typed: str, meant: str
) -> None:
    assert VOCABULARY.meant(typed) == meant


@pytest.mark.parametrize("typed", ["zzzzzz", "ab", "a2b", "", "slacksslacks"])
def test_what_is_like_no_word_is_left_alone(typed: str) -> None:
    assert VOCABULARY.meant(typed) is None

"""What a person types, and what is looked for then."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.search.query import MOST_WORDS, Query, read_query


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("slack openai", Query(words=("slack", "openai"))),
        ("Slack SLACK", Query(words=("slack",))),
        ('"ai agents" slack', Query(words=("slack",), phrases=(("ai", "agent"),))),
        ('"slack"', Query(words=("slack",))),
        ("slack -discord", Query(words=("slack",), without=(("discord",),))),
        ('-"ai agents"', Query(without=(("ai", "agent"),))),
        ("-google-sheets", Query(without=(("googl", "sheet"),))),
        ("autom*", Query(beginnings=("autom",))),
        ("google-she*", Query(words=("google",), beginnings=("she",))),
        ("how to send it", Query(words=("send",))),
        ("if", Query(words=("if",))),
        ("粵劇", Query(phrases=(("粵", "劇"),))),
        ("", Query()),
    ],
)
def test_words_phrases_what_is_not_wanted_and_beginnings(text: str, query: Query) -> None:
    assert read_query(text) == query


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('"slack', ("slack",)),
        ("slack AND (NOT discord)", ("slack", "discord")),
        ("title_words:slack", ("title", "words", "slack")),
        ("slack* OR", ()),
        ("- -- * \" ' \0", ()),
        ("\u202eslack", ("slack",)),
        ("NEAR(a b, 3)", ("near", "b", "3")),
    ],
)
def test_what_other_searches_take_for_orders_are_signs_and_words(
    text: str, words: tuple[str, ...]
) -> None:
    assert read_query(text).words == words


@given(st.text(max_size=2_000))
def test_no_text_is_an_error_and_none_asks_for_much(text: str) -> None:
    query = read_query(text)

    for asked in (query.words, query.beginnings, query.phrases, query.without):
        assert len(asked) <= MOST_WORDS

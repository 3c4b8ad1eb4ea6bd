"""What n8n sends is read as it is meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.sources.n8n.host.asked import FIRST_PAGE, PAGE, Asked


def test_the_first_page_has_as_much_as_anybody_sees() -> None:
    asked = Asked.of({"search": "", "page": "1", "limit": "20", "category": ""})

    assert (asked.first, asked.number) == (0, FIRST_PAGE)
    assert FIRST_PAGE % PAGE == 0


def test_after_it_n8n_asks_for_the_sixth_and_that_goes_on_where_it_ended() -> None:
    asked = Asked.of({"page": str(FIRST_PAGE // PAGE + 1), "limit": "20"})

    assert (asked.first, asked.number) == (FIRST_PAGE, PAGE)


def test_others_say_rows_and_get_what_they_ask_for() -> None:
    asked = Asked.of({"page": "3", "rows": "50"})

    assert (asked.first, asked.number) == (100, 50)


def test_categories_are_names_joined_by_commas() -> None:
    asked = Asked.of({"search": " slack ", "category": "AI Chatbot, Sales,"})

    assert (asked.words, asked.categories) == ("slack", ("AI Chatbot", "Sales"))


@pytest.mark.parametrize("page", ["", "x", "nan", "inf", "-3", "0", "1.0"])
def test_a_page_that_makes_no_sense_is_the_first(page: str) -> None:
    assert Asked.of({"page": page, "limit": "20"}).first == 0


def test_a_fraction_is_cut_off() -> None:
    assert Asked.of({"page": "2.35", "limit": "20"}).first == PAGE


@given(st.dictionaries(st.sampled_from(["page", "limit", "rows", "search", "category"]), st.text()))
def test_whatever_is_asked_a_page_is_bounded(query: dict[str, str]) -> None:
    asked = Asked.of(query)

    assert asked.first >= 0
    assert 1 <= asked.number <= FIRST_PAGE

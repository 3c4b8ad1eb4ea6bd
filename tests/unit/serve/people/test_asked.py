"""What a search page is asked for is read from its address, and written into the next one."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multidict import MultiDict

from n8n_scraper.search.found import Order
from n8n_scraper.serve.people.asked import Asked

FACETS = ("category", "node")
VALUES = st.text(min_size=1, max_size=8).filter(str.strip)
ASKED = st.builds(
    Asked,
    words=st.text(max_size=20).map(str.strip),
    filters=st.dictionaries(
        st.sampled_from(FACETS), st.lists(VALUES, min_size=1, max_size=3, unique=True).map(tuple)
    ),
    order=st.none() | st.sampled_from(Order),
    page=st.integers(1, 500),
)


def read(address: str) -> Asked:
    pairs = parse_qsl(address.removeprefix("?"), keep_blank_values=True)
    return Asked.of(MultiDict(pairs), FACETS)


@given(ASKED)
def test_what_is_written_is_read_again(asked: Asked) -> None:
    assert read(asked.query()) == asked


def test_nothing_asked_is_nothing_in_the_address() -> None:
    assert Asked().query() == ""


def test_without_words_the_newest_come_first_with_words_the_best() -> None:
    assert Asked().in_order is Order.NEWEST
    assert Asked(words="slack").in_order is Order.RELEVANCE
    assert Asked(words="slack", order=Order.VIEWS).in_order is Order.VIEWS


@given(ASKED, st.sampled_from(FACETS), VALUES)
def test_a_value_that_is_chosen_twice_is_as_it_was(asked: Asked, facet: str, value: str) -> None:
    there = asked.has(facet, value)

    once = asked.toggled(facet, value)

    assert once.has(facet, value) is not there
    assert once.toggled(facet, value).has(facet, value) is there
    assert once.page == 1


@pytest.mark.parametrize("page", ["0", "-1", "x", "1.5", "", "²", "9" * 30, "9" * 5000])
def test_a_page_that_makes_no_sense_is_one_that_does(page: str) -> None:
    asked = Asked.of(MultiDict({"page": page}), FACETS)

    assert 0 <= asked.question().offset <= 10_000


@given(st.lists(st.tuples(st.sampled_from(["q", "page", "order", "node", "x"]), st.text())))
def test_whatever_stands_in_the_address_it_can_be_asked(pairs: list[tuple[str, str]]) -> None:
    question = Asked.of(MultiDict(pairs), FACETS).question()

    assert len(question.words) <= 1_000
    assert set(question.filters) <= set(FACETS)

"""A number in an address is read, whatever else stands there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.serve.numbers import whole_number


@given(st.integers(0, 10**18 - 1))
def test_a_number_is_read(number: int) -> None:
    assert whole_number(str(number)) == number


@pytest.mark.parametrize("text", ["", "-1", "1.0", "²", "٣", "x", "9" * 19, "9" * 5000])
def test_what_is_none_is_none(text: str) -> None:
    assert whole_number(text) is None


@given(st.text())
def test_whatever_stands_there_no_database_is_asked_for_more_than_it_can_hold(text: str) -> None:
    assert 0 <= (whole_number(text) or 0) < 2**63

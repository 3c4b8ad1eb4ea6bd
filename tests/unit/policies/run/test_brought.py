from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.run.brought import shortfalls


def test_too_few_items_fall_short_whatever_they_hold():
    assert shortfalls(2, 10, {"title": 1.0}, {"title": 1.0}) == ("2 found, 10 expected at least",)


def test_each_field_below_its_share_is_told():
    told = shortfalls(3, 1, {"title": 1.0, "start": 2 / 3}, {"title": 1.0, "start": 0.9})

    assert told == ("start in 66.7 % of them, 90 % required",)


def test_less_than_all_is_not_written_as_all():
    [told] = shortfalls(9999, 0, {"title": 9998 / 9999}, {"title": 1.0})

    assert told == "title in 99.9 % of them, 100 % required"


def test_where_nothing_is_expected_nothing_is_enough():
    assert shortfalls(0, 0, {}, {"title": 1.0}) == ()


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_share_falls_short_only_where_it_is_smaller(share, wanted):
    assert bool(shortfalls(1, 0, {"title": share}, {"title": wanted})) == (share < wanted)

"""Slips of the keyboard."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.spelling import misspelt, mistyped, slips_between

NAMES = st.text("ABC_", max_size=7)


@pytest.mark.parametrize(
    ("left", "right", "slips"),
    [
        ("JOBDIR", "JOBDIR", 0),
        ("JOBDR", "JOBDIR", 1),  # a letter is missing
        ("JOBDIRR", "JOBDIR", 1),  # one too many
        ("JOBDUR", "JOBDIR", 1),  # a wrong one
        ("JOBIDR", "JOBDIR", 1),  # two neighbours swapped
        ("JBODRI", "JOBDIR", 2),
        ("STATE", "JOBDIR", 3),  # more than anybody asked for
    ],
)
def test_slips_are_counted_up_to_what_matters(left: str, right: str, slips: int) -> None:
    assert slips_between(left, right, 2) == slips


@given(NAMES, NAMES)
def test_they_are_as_many_from_either_side(left: str, right: str) -> None:
    assert slips_between(left, right, 4) == slips_between(right, left, 4)


@given(NAMES, st.integers(0, 6), st.sampled_from("ABCX"))
def test_one_letter_too_many_is_one_slip_wherever_it_is(name: str, at: int, letter: str) -> None:
    assert slips_between(name[:at] + letter + name[at:], name, 2) == 1


def test_the_nearest_known_name_is_the_one_that_was_meant() -> None:
    known = ["RATE_LIMITS", "RATE_LIMIT_RATE", "JOBDIR"]

    assert misspelt("RATE_LIMIT_RATES", known) == "RATE_LIMIT_RATE"
    assert misspelt("RATE_LIMITS", known) is None  # it is right, however near another one is
    assert misspelt("JIBDUR", known) is None  # two slips are much in a short name
    assert misspelt("JOBDIR", []) is None


@given(st.integers(0, 14), st.sampled_from("ABCX"))
def test_a_single_wrong_key_is_told_wherever_it_is(at: int, letter: str) -> None:
    name = "RATE_LIMIT_RATE"
    before, here, behind = name[:at], name[at : at + 1], name[at + 1 :]
    slips = {before + behind, before + letter + here + behind, before + letter + behind}
    slips.add(before + behind[:1] + here + behind[1:])  # two neighbours swapped

    assert {mistyped(slip, ["JOBDIR", name]) for slip in slips - {name}} == {name}

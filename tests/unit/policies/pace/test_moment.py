"""The time left until a moment."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from n8n_scraper.policies.pace.moment import seconds_until

moments = st.floats(0, 4e9)


def test_a_moment_that_has_come_leaves_no_time() -> None:
    assert seconds_until(5.0, 5.0) == 0
    assert seconds_until(5.0, 7.0) == 0
    assert seconds_until(float("-inf"), 0.0) == 0
    assert seconds_until(5.0, 3.0) == 2


@given(moment=moments, now=moments)
@example(moment=1013.39, now=117.57)  # adding the difference falls one step short
def test_who_sleeps_the_time_left_is_on_time(moment: float, now: float) -> None:
    assert seconds_until(moment, now + seconds_until(moment, now)) == 0

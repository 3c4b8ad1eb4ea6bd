"""Reading another clock by ours."""

import pytest

from n8n_scraper.policies.pace.store_clock import StoreClock

THERE = 1_760_000_000.0


def test_the_quickest_answer_says_best_what_time_it_is_there() -> None:
    clock = StoreClock()

    for second, trip in enumerate((0.2, 0.01, 0.5)):
        asked_at = 100.0 + second
        clock.note(THERE + second, asked_at=asked_at, heard_at=asked_at + trip)

    assert clock.there(100.01) == pytest.approx(THERE)
    assert clock.usual_trip == pytest.approx(0.1, abs=0.1)


def test_nothing_is_ever_thought_to_be_later_there_than_it_is() -> None:
    clock = StoreClock()
    clock.note(THERE, asked_at=100.0, heard_at=100.3)

    assert clock.there(100.3) <= THERE + 1e-6


def test_a_clock_that_is_set_forward_is_believed_at_once_and_one_set_back_in_time() -> None:
    clock = StoreClock()
    clock.note(THERE, asked_at=100.0, heard_at=100.0)
    clock.note(THERE + 61, asked_at=101.0, heard_at=101.0)
    assert clock.there(101.0) == pytest.approx(THERE + 61)

    for second in range(2, 40):
        clock.note(THERE + second, asked_at=100.0 + second, heard_at=100.0 + second)

    assert clock.there(140.0) == pytest.approx(THERE + 40)

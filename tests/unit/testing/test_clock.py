"""A clock that stands still until it is moved."""

from n8n_scraper.testing.clock import MovableClock


def test_time_passes_when_it_is_told_to_and_not_otherwise() -> None:
    clock = MovableClock(100.0)

    first, second = clock(), clock()
    clock.move(2.5)
    clock.move(-10.0)

    assert (first, second, clock()) == (100.0, 100.0, 92.5)


def test_who_sleeps_wakes_up_at_once_and_later() -> None:
    clock = MovableClock(100.0)

    clock.sleep(3.0)
    clock.sleep(0.5)

    assert (clock(), clock.slept) == (103.5, 3.5)

"""When a person is told: once, not again too soon, and of the end."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.alerts.telling import AlertState, Cadence, Telling, follow

HOURLY = Cadence(cooldown_seconds=3600.0, repeat_seconds=21600.0)


def told(
    looks: list[tuple[float, bool]], cadence: Cadence = HOURLY, **how: float
) -> list[tuple[float, Telling]]:
    """What is told in a row of looks, each so many seconds after the one before."""
    state, now, news = AlertState(), 1_000_000.0, []
    for after, is_wrong in looks:
        now += after
        state, telling = follow(state, is_wrong, now, cadence, **how)
        if telling is not None:
            news.append((now - 1_000_000.0, telling))
    return news


def test_what_is_wrong_is_told_once_and_its_end_as_well() -> None:
    looks = [(0.0, True), (60.0, True), (60.0, True), (60.0, False), (60.0, False)]

    assert told(looks) == [(0.0, Telling.FIRES), (180.0, Telling.RECOVERED)]


def test_what_comes_and_goes_is_told_again_only_after_the_cool_down() -> None:
    looks = [(0.0, True), (600.0, False)] + 8 * [(300.0, True), (300.0, False)]

    assert [telling for _, telling in told(looks)] == [
        Telling.FIRES,
        Telling.RECOVERED,
        Telling.FIRES,
        Telling.RECOVERED,
    ]
    assert told(looks)[2][0] >= 3600.0


def test_what_comes_back_within_the_cool_down_and_stays_is_told_when_that_is_over() -> None:
    looks = [(0.0, True), (60.0, False), *[(600.0, True)] * 6]

    assert told(looks)[2:] == [(3660.0, Telling.FIRES)]


def test_what_goes_on_is_told_once_more_after_a_while() -> None:
    looks = [(0.0, True), *[(3600.0, True)] * 13]

    assert told(looks) == [
        (0.0, Telling.FIRES),
        (21600.0, Telling.GOES_ON),
        (43200.0, Telling.GOES_ON),
    ]


def test_without_repeats_it_is_told_once_for_ever() -> None:
    looks = [(0.0, True), *[(1e6, True)] * 9]

    assert told(looks, Cadence(3600.0, repeat_seconds=0.0)) == [(0.0, Telling.FIRES)]


def test_what_has_to_last_is_told_when_it_has() -> None:
    looks = [(0.0, True), (300.0, True), (300.0, True)]

    assert told(looks, for_seconds=600.0) == [(600.0, Telling.FIRES)]
    assert told([(0.0, True), (300.0, False)], for_seconds=600.0) == []


def test_what_was_well_between_two_looks_begins_anew() -> None:
    state, _ = follow(AlertState(), True, 1000.0, HOURLY, for_seconds=600.0)

    state, telling = follow(state, True, 1700.0, HOURLY, for_seconds=600.0, not_before=1500.0)

    assert (state.since, telling) == (1500.0, None)


@given(
    looks=st.lists(st.tuples(st.floats(0.1, 5000), st.booleans()), max_size=60),
    cooldown=st.floats(0, 5000),
    repeat=st.sampled_from([0.0, 100.0, 21600.0]),
)
def test_nobody_is_told_twice_within_the_cool_down_and_every_told_beginning_has_one_end(
    looks: list[tuple[float, bool]], cooldown: float, repeat: float
) -> None:
    news = told(looks, Cadence(cooldown, repeat))

    fires = [at for at, telling in news if telling is Telling.FIRES]
    assert all(later - earlier >= cooldown - 1e-6 for earlier, later in pairwise(fires))
    bounds = [telling for _, telling in news if telling is not Telling.GOES_ON]
    assert bounds == [Telling.FIRES, Telling.RECOVERED] * (len(bounds) // 2) + [Telling.FIRES] * (
        len(bounds) % 2
    )

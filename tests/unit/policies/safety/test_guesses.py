"""How often a token may be guessed."""

from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.pace.token_bucket import BucketLimits
from n8n_scraper.policies.safety.guesses import Guesses

LIMITS = BucketLimits(rate=0.5, burst=3)


def test_after_some_wrong_ones_the_next_is_looked_at_later() -> None:
    guesses = Guesses(LIMITS)

    waits = []
    for _ in range(4):
        waits.append(guesses.wait("10.0.0.1", now=100.0))
        guesses.add("10.0.0.1", now=100.0)

    assert waits == [0, 0, 0, 2]
    assert guesses.wait("10.0.0.1", now=200.0) == 0


def test_another_address_waits_for_none_of_it() -> None:
    guesses = Guesses(LIMITS)
    for _ in range(5):
        guesses.add("10.0.0.1", now=100.0)

    assert guesses.wait("10.0.0.2", now=100.0) == 0


def test_the_addresses_of_one_network_of_the_sixth_version_count_as_one() -> None:
    guesses = Guesses(LIMITS)
    for number in range(5):
        guesses.add(f"2001:db8::{number}", now=100.0)

    assert guesses.wait("2001:db8::ffff", now=100.0) > 0
    assert guesses.wait("2001:db8:0:1::", now=100.0) == 0


def test_no_more_addresses_are_remembered_than_is_said() -> None:
    guesses = Guesses(LIMITS, kept=2)
    for address in ("10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.3"):
        guesses.add(address, now=100.0)

    assert guesses.wait("10.0.0.1", now=100.0) == 0


@given(st.lists(st.floats(min_value=0, max_value=50), max_size=60))
def test_in_no_span_of_time_more_are_looked_at_than_the_bucket_lets_out(gaps: list[float]) -> None:
    guesses, now, looked_at = Guesses(LIMITS), 1000.0, []
    for gap in gaps:
        now += gap
        if guesses.wait("10.0.0.1", now) == 0:
            looked_at.append(now)
            guesses.add("10.0.0.1", now)

    for first, begun in enumerate(looked_at):
        for last, ended in enumerate(looked_at[first:], first):
            most = LIMITS.burst + LIMITS.rate * (ended - begun)
            assert last - first + 1 <= most + 1e-6

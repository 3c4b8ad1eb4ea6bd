"""The tokens of a process: which it uses, and which it reserves next."""

from __future__ import annotations

import pytest

from n8n_scraper.policies.pace.domain_state import MOST_AHEAD_SECONDS, Unused
from n8n_scraper.policies.pace.purse import FETCHED_AHEAD_SECONDS, Purse
from n8n_scraper.policies.pace.token_bucket import BucketLimits, Reservation, Tempo

NOW = 1_760_000_000.0
SLOW = Tempo.of(BucketLimits(2.0, 1), margin=0)
QUICK = Tempo.of(BucketLimits(1_000.0, 1), margin=0)


def purse(*dues: float, tempo: Tempo = SLOW) -> Purse:
    """One with a token for each of these moments, as so many reservations."""
    full = Purse(tempo)
    for due in dues:
        full.put(Reservation(due + tempo.interval, 1, tempo))
        full.next_at = due + tempo.interval
    return full


def lacking(one: Purse, waiting: int = 1, ahead: int = 0) -> int:
    """How many tokens it wants to reserve."""
    wish = one.wish(NOW, ahead, waiting, epoch=0, trip_seconds=0.0)
    return wish.tokens if wish else 0


def test_tokens_are_used_in_the_order_in_which_they_are_due() -> None:
    one = purse(NOW - 0.005, NOW + 0.5)

    assert one.wait(NOW) == 0
    assert one.wait(NOW, ahead=1) == pytest.approx(0.5)
    assert one.wait(NOW, ahead=2) is None
    assert one.take(NOW)
    assert not one.take(NOW)


def test_without_a_limit_there_is_always_one() -> None:
    one = purse(tempo=Tempo.of(BucketLimits(0, 5)))

    assert one.wait(NOW, ahead=9) == 0
    assert one.take(NOW)
    assert lacking(one) == 0


def test_a_token_is_not_used_later_than_it_can_be_saved_up() -> None:
    assert purse(NOW).take(NOW + SLOW.slack + SLOW.grace)
    assert not purse(NOW).take(NOW + SLOW.slack + SLOW.grace + 0.001)


def test_no_more_are_reserved_than_requests_wait() -> None:
    assert lacking(purse()) == 1
    assert lacking(purse(NOW)) == 0
    assert lacking(purse(NOW), ahead=1) == 1
    assert lacking(purse(tempo=QUICK), waiting=7) == 7
    assert lacking(purse(tempo=QUICK), waiting=1_000) == QUICK.block


def test_the_next_are_reserved_shortly_before_the_last_is_due() -> None:
    assert lacking(purse(NOW + FETCHED_AHEAD_SECONDS / 2), waiting=5) == 1
    assert lacking(purse(NOW + FETCHED_AHEAD_SECONDS * 2), waiting=5) == 0


def test_what_is_promised_far_ahead_is_asked_for_later() -> None:
    one = purse()
    one.next_at = NOW + MOST_AHEAD_SECONDS + 3

    assert lacking(one) == 0
    assert one.promised_for(NOW) == pytest.approx(3)


def test_what_was_not_used_of_the_last_reservation_is_given_back_with_the_next_wish() -> None:
    one = Purse(SLOW)
    last = Reservation(NOW - 1, 3, SLOW)  # due 2.5, 2 and 1.5 seconds ago
    one.put(last)
    one.next_at = last.next_at
    assert one.take(NOW - 2.5)

    wish = one.wish(NOW, 0, 1, epoch=0, trip_seconds=0.0)

    assert wish is not None
    assert wish.unused == Unused(last.next_at, last.due_at(1))


def test_what_is_void_is_neither_used_nor_given_back() -> None:
    one = purse(NOW)

    one.void()

    wish = one.wish(NOW, 0, 1, epoch=1, trip_seconds=0.0)
    assert one.wait(NOW) is None
    assert wish is not None
    assert (wish.unused, wish.epoch) == (None, 1)


def test_who_is_late_again_and_again_asks_for_what_is_due_later() -> None:
    one, leads = Purse(SLOW), []
    for _ in range(5):
        one.put(Reservation(NOW - 1, 1, SLOW))
        wish = one.wish(NOW, 0, 1, epoch=0, trip_seconds=0.002)
        assert wish is not None
        leads.append(wish.lead)

    patience = [0, 1, 3, 7, 15]
    assert leads == pytest.approx([0.002 + SLOW.grace * times for times in patience])

"""What becomes of a message by how its sending came out."""

from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.outbox.delivery import (
    FAILURES_TO_REST,
    RULE,
    TAKEN,
    Came,
    ChannelState,
    Delivery,
    MessageState,
    Tried,
    after,
    next_step,
)

NOW = 1000.0
FRESH = Tried(attempts=0, failed_at=None, give_up_at=NOW + 1_000_000)
FAILED = Delivery(Came.FAILED, "it broke")
AWAY = Delivery(Came.AWAY, "nobody there")
REFUSED = Delivery(Came.REFUSED, "no such thing")
draws = st.floats(0, 1)
outcomes = st.sampled_from([TAKEN, FAILED, AWAY, REFUSED])


def middle() -> float:
    return 0.5


def tried_again(tried: Tried, channel: ChannelState, times: int, apart: float) -> Tried:
    """A message that fails so often while the channel stays as it is."""
    now = NOW
    for _ in range(times):
        step = next_step(tried, FAILED, channel, now, middle)
        assert step.state is MessageState.WAITING
        tried = Tried(step.attempts, now, tried.give_up_at)
        now += apart
    return tried


def test_what_is_taken_is_sent() -> None:
    assert next_step(FRESH, TAKEN, ChannelState(), NOW, middle).state is MessageState.SENT


def test_what_is_refused_is_given_up_with_the_reason_and_lets_others_pass() -> None:
    step = next_step(FRESH, REFUSED, ChannelState(), NOW, middle)

    assert (step.state, step.words) == (MessageState.GIVEN_UP, "no such thing")
    assert after(ChannelState(failures=7), REFUSED, NOW, middle).may_send(NOW)


def test_a_message_that_fails_while_others_are_taken_is_given_up_in_the_end() -> None:
    tried = FRESH
    for number in range(1, RULE.attempts + 1):
        now = NOW + 100 * number
        step = next_step(tried, FAILED, ChannelState(taken_at=now - 1), now, middle)
        tried = Tried(step.attempts, now, tried.give_up_at)

    assert step.state is MessageState.GIVEN_UP
    assert step.words == "it broke"


def test_as_long_as_nothing_is_taken_no_message_is_given_up_for_it() -> None:
    tried = tried_again(FRESH, ChannelState(taken_at=NOW - 1), times=500, apart=900)

    assert tried.attempts == 1


def test_a_server_that_is_away_costs_no_attempt() -> None:
    step = next_step(Tried(3, NOW - 10, NOW + 99), AWAY, ChannelState(taken_at=NOW), NOW, middle)

    assert (step.state, step.attempts) == (MessageState.WAITING, 3)


def test_what_has_waited_too_long_ends_with_the_reason() -> None:
    late = Tried(attempts=0, failed_at=None, give_up_at=NOW + 1)

    step = next_step(late, AWAY, ChannelState(), NOW, middle)

    assert step.state is MessageState.GIVEN_UP
    assert step.words == "not taken for too long: nobody there"


def test_a_channel_rests_after_some_failures_in_a_row_and_then_tries_with_one() -> None:
    channel = ChannelState()
    for _ in range(FAILURES_TO_REST):
        assert channel.may_send(NOW)
        channel = after(channel, FAILED, NOW, middle)

    assert not channel.may_send(NOW)
    assert channel.may_send(channel.held_until)
    assert channel.at_once(25) == 1


def test_a_server_that_is_away_lets_its_channel_rest_at_once_and_longer_each_time() -> None:
    once = after(ChannelState(), AWAY, NOW, middle)
    twice = after(once, AWAY, NOW, middle)

    assert not once.may_send(NOW)
    assert twice.held_until > once.held_until


def test_something_taken_ends_the_rest() -> None:
    channel = after(ChannelState(failures=5, held_until=NOW + 100), TAKEN, NOW, middle)

    assert channel.may_send(NOW)
    assert channel.at_once(25) == 25


@given(seconds=st.floats(0, 3600), draw=draws)
def test_nothing_is_sent_before_the_time_that_the_server_has_named(
    seconds: float, draw: float
) -> None:
    told = Delivery(Came.AWAY, "429", server_wait=seconds)

    step = next_step(FRESH, told, ChannelState(), NOW, lambda: draw)
    channel = after(ChannelState(), told, NOW, lambda: draw)

    assert step.due_at >= NOW + seconds
    assert not channel.may_send(NOW + seconds - 0.001)


@given(deliveries=st.lists(outcomes, max_size=40), draw=draws)
def test_a_channel_never_rests_for_longer_than_the_cap(
    deliveries: list[Delivery], draw: float
) -> None:
    channel = ChannelState()
    for delivery in deliveries:
        channel = after(channel, delivery, NOW, lambda: draw)

    assert channel.held_until <= NOW + RULE.cap_seconds


@given(delivery=outcomes, attempts=st.integers(0, RULE.attempts - 1), draw=draws)
def test_a_message_waits_is_sent_or_is_given_up_with_a_word(
    delivery: Delivery, attempts: int, draw: float
) -> None:
    tried = Tried(attempts, NOW - 5, NOW + 10_000)

    step = next_step(tried, delivery, ChannelState(taken_at=NOW - 1), NOW, lambda: draw)

    assert step.state is not MessageState.SENDING
    assert step.state is MessageState.SENT or step.words
    assert step.state is not MessageState.WAITING or step.due_at > NOW

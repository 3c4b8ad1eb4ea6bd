"""Decide what becomes of a message to the outside by how its sending came out.

A message is given up when it was refused, when it has failed so often while others were taken, or
when it has waited too long. As long as nothing at all is taken, it is the other side that fails:
that costs no message an attempt, and the whole channel rests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from n8n_scraper.policies.failure.retry import RetryRule

RULE = RetryRule(attempts=8, base_seconds=5.0, factor=2.0, cap_seconds=900.0, jitter=0.2)
"""How often a message is sent in all while others are taken, and the waits in between."""

FAILURES_TO_REST = 3
"""After how many failures in a row a channel rests, whatever kind they are of."""


class MessageState(StrEnum):
    """Where a message stands."""

    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    GIVEN_UP = "given_up"


class Came(StrEnum):
    """How a sending came out."""

    TAKEN = "taken"
    REFUSED = "refused"  # for good: the same would be refused again
    FAILED = "failed"
    AWAY = "away"  # no message would be taken now


@dataclass(frozen=True, slots=True)
class Delivery:
    """How the sending of one message came out."""

    came: Came
    reason: str = ""
    server_wait: float | None = None
    """For how many seconds the other side asked to be left alone."""
    in_doubt: bool = False
    """Whether it may have been taken all the same."""


TAKEN = Delivery(Came.TAKEN)


@dataclass(frozen=True, slots=True)
class Tried:
    """What is known of a message before this sending."""

    attempts: int
    """How often it has failed while others were taken."""
    failed_at: float | None
    """When it failed last."""
    give_up_at: float
    """Until when it makes sense."""


@dataclass(frozen=True, slots=True)
class ChannelState:
    """How a way to the outside stands with all who send by it."""

    failures: int = 0
    """How many came in a row."""
    held_until: float = 0.0
    """Until when nothing is sent."""
    taken_at: float = 0.0
    """When something was taken last."""

    def may_send(self, now: float) -> bool:
        """Whether something may be sent now."""
        return now >= self.held_until

    def at_once(self, batch: int) -> int:
        """Say how many messages may be sent together: one tries whether things work again."""
        return 1 if self.failures else batch


@dataclass(frozen=True, slots=True)
class Step:
    """What becomes of a message."""

    state: MessageState
    attempts: int
    due_at: float
    words: str | None = None
    """Why it was not taken."""
    in_doubt: bool = False


def next_step(
    tried: Tried, delivery: Delivery, channel: ChannelState, now: float, random: Callable[[], float]
) -> Step:
    """Decide about a message; `random` gives a number from 0 to 1.

    `channel` is how the channel stood before the sending. A failure costs an attempt only where
    something else was taken since the message failed before: then it is the message's own.
    """
    if delivery.came is Came.TAKEN:
        return Step(MessageState.SENT, tried.attempts, now)
    if delivery.came is Came.REFUSED:
        return Step(MessageState.GIVEN_UP, tried.attempts + 1, now, delivery.reason)
    is_its_own = tried.failed_at is None or channel.taken_at >= tried.failed_at
    attempts = tried.attempts + (is_its_own and delivery.came is Came.FAILED)
    if attempts >= RULE.attempts:
        return Step(MessageState.GIVEN_UP, attempts, now, delivery.reason, delivery.in_doubt)
    wait = (delivery.server_wait or 0.0) + RULE.wait_seconds(max(1, attempts), random())
    if now + wait > tried.give_up_at:
        words = f"not taken for too long: {delivery.reason}"
        return Step(MessageState.GIVEN_UP, attempts, now, words, delivery.in_doubt)
    return Step(MessageState.WAITING, attempts, now + wait, delivery.reason, delivery.in_doubt)


def after(
    channel: ChannelState, delivery: Delivery, now: float, random: Callable[[], float]
) -> ChannelState:
    """Say how a channel stands after a sending by it.

    What no message can help, such as a server that is away or a key that it does not know, lets
    the channel rest at once; anything else after a few failures in a row.
    """
    if delivery.came in (Came.TAKEN, Came.REFUSED):  # who refuses a message is there
        return ChannelState(taken_at=now)
    failures = channel.failures + 1
    if delivery.came is Came.FAILED and failures < FAILURES_TO_REST:
        return replace(channel, failures=failures)
    wait = (delivery.server_wait or 0.0) + RULE.wait_seconds(failures, random())
    return replace(channel, failures=failures, held_until=max(channel.held_until, now + wait))

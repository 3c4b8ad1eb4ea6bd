"""Write messages to the outside down, hand them to senders, and note what became of them.

Each function works in the transaction that it is given: a message is there exactly if what it
tells is there. A sender holds a message for the time of a lease, so that no two send the same at
once; what it held when it died is sent again by another, which knows that it may have been taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select, update
from sqlalchemy.orm import Session, aliased

from n8n_scraper.core.clock import utc_now
from n8n_scraper.ledger import workers
from n8n_scraper.ledger.ledger import Process
from n8n_scraper.ledger.statements import insert_for, put
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.outbox.message import Message, NewMessage, Standings
from n8n_scraper.outbox.tables import ChannelRow, ForeignNameRow, MessageRow
from n8n_scraper.policies.outbox.delivery import (
    ChannelState,
    Delivery,
    MessageState,
    Tried,
    after,
    next_step,
)

_MESSAGES, _CHANNELS, _NAMES = map(table_of, (MessageRow, ChannelRow, ForeignNameRow))
_UNSENT = (MessageState.WAITING, MessageState.SENDING)


def write(session: Session, new: NewMessage, now: float) -> None:
    """Write a message down, in the place of the one that says something else under its key.

    One that says the same stays as it is, wherever it stands: nothing is told twice.
    """
    row = {
        "channel": new.channel,
        "key": new.key,
        "topic": new.topic,
        "stage": new.stage,
        "payload": dict(new.payload),
        "revision": 1,
        "state": MessageState.WAITING,
        "attempts": 0,
        "due_at": now if new.is_due else None,
        "give_up_at": now + new.patience_seconds,
        "in_doubt": False,
        "written_at": utc_now(),
    }
    insert = insert_for(session, _MESSAGES).values(row).on_conflict_do_nothing()
    if session.connection().execute(insert.returning(_MESSAGES.c.number)).first() is None:
        _write_anew(session, new, now)


def release(session: Session, channel: str, key: str, now: float) -> None:
    """Let a message go that was kept until now."""
    kept = (_MESSAGES.c.channel == channel, _MESSAGES.c.key == key, _MESSAGES.c.due_at.is_(None))
    session.connection().execute(update(_MESSAGES).where(*kept).values(due_at=now))


def kept_back(session: Session, channel: str) -> list[str]:
    """Name the topics of the messages that were never released."""
    kept = (_MESSAGES.c.channel == channel, _MESSAGES.c.due_at.is_(None))
    return list(session.connection().scalars(select(_MESSAGES.c.topic).where(*kept)))


def claim(
    session: Session, channel: str, holder: str, most: int, lease_seconds: float, now: float
) -> list[Message]:
    """Take the messages that are due longest; none while the channel rests."""
    standing = _channel(session, channel)
    if not standing.may_send(now):
        return []
    _end_leases_of_the_dead(session, channel)
    due = (
        select(MessageRow)
        .where(MessageRow.channel == channel, _is_due(now), ~_has_to_wait())
        .order_by(MessageRow.due_at, MessageRow.number)
        .limit(standing.at_once(most))
        .with_for_update(skip_locked=True)
    )
    rows = list(session.scalars(due))
    for row in rows:
        # Whoever held it has not said what became of it.
        row.in_doubt = row.in_doubt or row.state == MessageState.SENDING
        row.state, row.holder, row.lease_until = MessageState.SENDING, holder, now + lease_seconds
    session.flush()
    return [_message(row) for row in rows]


def settle(
    session: Session,
    channel: str,
    holder: str,
    deliveries: Sequence[tuple[Message, Delivery]],
    now: float,
    random: Callable[[], float],
) -> None:
    """Note what became of messages that this sender holds; what another has by now is left to it.

    A message that says something else by now is sent again. What the sender has taken and not
    tried is there for others.
    """
    standing = _channel(session, channel)
    for message, delivery in deliveries:
        row = session.get(MessageRow, message.number, with_for_update=True)
        if row is not None and row.holder == holder and row.state == MessageState.SENDING:
            _settle_one(row, message, delivery, standing, now, random)
        standing = after(standing, delivery, now, random)
    put(session, _CHANNELS, [{"channel": channel, **_columns(standing)}])
    session.flush()
    mine = (_MESSAGES.c.holder == holder, _MESSAGES.c.state == MessageState.SENDING)
    back = {"state": MessageState.WAITING, "holder": None, "lease_until": None}
    session.connection().execute(update(_MESSAGES).where(*mine).values(back))


def send_again(session: Session, channel: str, now: float, patience_seconds: float) -> None:
    """Let what has failed or was given up have another chance at once, at a person's word."""
    mine = (_MESSAGES.c.channel == channel, _MESSAGES.c.due_at.is_not(None))
    failed = _MESSAGES.c.state.in_((MessageState.WAITING, MessageState.GIVEN_UP))
    again = {
        "state": MessageState.WAITING,
        "attempts": 0,
        "due_at": now,
        "failed_at": None,
        "give_up_at": now + patience_seconds,
        "ended_at": None,
    }
    session.connection().execute(update(_MESSAGES).where(*mine, failed).values(again))
    session.connection().execute(
        update(_CHANNELS).where(_CHANNELS.c.channel == channel).values(held_until=0.0)
    )


def forget_sent(session: Session, before: str) -> int:
    """Forget what was sent before a moment; count it."""
    sent = (_MESSAGES.c.state == MessageState.SENT, _MESSAGES.c.ended_at < before)
    return session.connection().execute(delete(_MESSAGES).where(*sent)).rowcount


def standings(session: Session, channel: str, now: float) -> Standings:
    """Count the messages of a channel."""
    mine = _MESSAGES.c.channel == channel
    counting = select(_MESSAGES.c.state, func.count()).where(mine).group_by(_MESSAGES.c.state)
    counts: dict[str, int] = dict(map(tuple, session.connection().execute(counting)))
    failed = select(_MESSAGES.c.last_error).where(mine, _MESSAGES.c.failed_at.is_not(None))
    not_sent = failed.where(_MESSAGES.c.state != MessageState.SENT)
    waiting = (mine, _MESSAGES.c.state == MessageState.WAITING)
    due_at = session.connection().scalar(select(func.min(_MESSAGES.c.due_at)).where(*waiting))
    held_until = _channel(session, channel).held_until
    return Standings(
        waiting=sum(counts.get(state, 0) for state in _UNSENT),
        sent=counts.get(MessageState.SENT, 0),
        given_up=counts.get(MessageState.GIVEN_UP, 0),
        last_error=session.scalar(not_sent.order_by(_MESSAGES.c.failed_at.desc()).limit(1)),
        next_in_seconds=None if due_at is None else max(0.0, due_at - now, held_until - now),
    )


def theirs(session: Session, channel: str, name: str) -> str | None:
    """Say what the other side calls something of ours; None where it has not told."""
    query = select(_NAMES.c.theirs).where(_NAMES.c.channel == channel, _NAMES.c.name == name)
    return session.connection().scalar(query)


def note_theirs(session: Session, channel: str, name: str, theirs: str) -> None:
    """Note what the other side calls something of ours."""
    put(session, _NAMES, [{"channel": channel, "name": name, "theirs": theirs}])


def _write_anew(session: Session, new: NewMessage, now: float) -> None:
    row = session.scalars(
        select(MessageRow)
        .where(MessageRow.channel == new.channel, MessageRow.key == new.key)
        .with_for_update()
    ).one()
    if row.payload == dict(new.payload) and row.state != MessageState.GIVEN_UP:
        return
    if row.state != MessageState.SENDING:  # else its sender sees that it says something else
        row.state, row.holder, row.ended_at = MessageState.WAITING, None, None
    row.payload, row.revision = dict(new.payload), row.revision + 1
    row.attempts, row.failed_at, row.give_up_at = 0, None, now + new.patience_seconds
    row.due_at = now if new.is_due else row.due_at
    session.flush()


def sender_name() -> str:
    """Name this process as a sender, so that others on its machine can see whether it lives."""
    return f"{workers.this_process(0.0).name}@{workers.machine()}"


def _end_leases_of_the_dead(session: Session, channel: str) -> None:
    held = and_(_MESSAGES.c.channel == channel, _MESSAGES.c.state == MessageState.SENDING)
    for holder in session.connection().scalars(select(_MESSAGES.c.holder).where(held).distinct()):
        name, _, machine = str(holder).partition("@")
        if workers.has_died(Process(name, machine, 0.0)):
            session.connection().execute(
                update(_MESSAGES).where(held, _MESSAGES.c.holder == holder).values(lease_until=0.0)
            )


def _is_due(now: float) -> ColumnElement[bool]:
    waits = and_(MessageRow.state == MessageState.WAITING, MessageRow.due_at <= now)
    was_left = and_(MessageRow.state == MessageState.SENDING, MessageRow.lease_until <= now)
    return or_(waits, was_left)


def _has_to_wait() -> ColumnElement[bool]:
    """Whether something of an earlier stage of its topic has not ended."""
    earlier = aliased(MessageRow)
    return exists().where(
        earlier.channel == MessageRow.channel,
        earlier.topic == MessageRow.topic,
        earlier.stage < MessageRow.stage,
        earlier.state.in_(_UNSENT),
    )


def _settle_one(
    row: MessageRow,
    message: Message,
    delivery: Delivery,
    standing: ChannelState,
    now: float,
    random: Callable[[], float],
) -> None:
    tried = Tried(row.attempts, row.failed_at, row.give_up_at)
    step = next_step(tried, delivery, standing, now, random)
    row.holder = row.lease_until = None
    if row.revision != message.revision:
        row.state, row.due_at = MessageState.WAITING, now
        row.in_doubt = message.in_doubt or step.in_doubt
        return
    row.state, row.attempts, row.due_at = step.state, step.attempts, step.due_at
    # A doubt stays when asking what became of it has failed as well.
    row.in_doubt = step.state is not MessageState.SENT and (message.in_doubt or step.in_doubt)
    if step.words is not None:
        row.last_error, row.failed_at = step.words, now
    if step.state not in _UNSENT:
        row.ended_at = utc_now()


def _channel(session: Session, channel: str) -> ChannelState:
    row = session.connection().execute(select(_CHANNELS).where(_CHANNELS.c.channel == channel))
    found = row.mappings().first()
    return ChannelState() if found is None else _state(found)


def _state(row: Mapping[Any, Any]) -> ChannelState:
    return ChannelState(row["failures"], row["held_until"], row["taken_at"])


def _columns(standing: ChannelState) -> dict[str, float]:
    return {
        "failures": standing.failures,
        "held_until": standing.held_until,
        "taken_at": standing.taken_at,
    }


def _message(row: MessageRow) -> Message:
    return Message(
        row.number, row.key, row.topic, row.stage, row.payload, row.revision, row.in_doubt
    )

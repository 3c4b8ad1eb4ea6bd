"""One pace for all processes that share a Redis, in two hashes a domain.

`ratelimit:n8n.io` holds the bucket, the server's word and the learned rate, `circuit:n8n.io` the
circuit, under the names that the columns of the table `domains` have. Reserving tokens is the
frequent thing, one script on Redis's own clock. Whatever else happens is worked out here, by the
policies, and written by a second script if nothing has come between; so the one probe of a circuit
is a lease in Redis too, and no rule is written twice.

A `None` is an empty text. Both hashes are forgotten when nothing was written for a week.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from n8n_scraper.core.errors import StoreUnfit
from n8n_scraper.core.redis_settings import RedisAddress
from n8n_scraper.ledger.domains import TABLE, columns_of, state_of
from n8n_scraper.policies.pace.domain_state import (
    MOST_AHEAD_SECONDS,
    SET_BACK_SECONDS,
    DomainState,
    Step,
    Wish,
)
from n8n_scraper.policies.pace.fallback_store import SLOW_ANSWER_SECONDS
from n8n_scraper.policies.pace.pace_store import PaceAway, Seen
from n8n_scraper.policies.pace.token_bucket import Reservation

if TYPE_CHECKING:
    from redis import Redis

REMEMBERED_SECONDS = 7 * 24 * 3600
"""How long a domain is remembered of which nothing is written, beyond whatever it waits for."""

ANSWER_SECONDS = SLOW_ANSWER_SECONDS / 2
"""How long Redis may take, which is asked twice; it answers within a millisecond, and all that ask
a site wait for it."""

_BUCKET, _CIRCUIT = "ratelimit:", "circuit:"
_OF_CIRCUIT = "circuit_"  # how the table calls its columns
_MICROSECONDS = 1_000_000

_OF_ITS_STATE = re.compile(r"(?:^|caused error: )(?!WRONGTYPE)[A-Z]+ ")
"""How Redis begins to say that it serves nobody right now, such as `MISCONF` or `BUSY`. What has no
such word, or says that a key is none of ours, comes of the question: it would come for ever."""


class RedisPaceStore:
    """Keeps the states of domains in Redis, by its clock; raises PaceAway when it does not answer.

    StoreUnfit is raised when it answers that a question makes no sense: no waiting would help.
    A revision is at least the time in microseconds, so that it rises also over a Redis that has
    come back empty.
    """

    blocks = True

    def __init__(self, address: RedisAddress, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._place = address.place
        self._redis = _client(address, answer_seconds)
        self._reserve = self._redis.register_script(_script("reserve"))
        self._change = self._redis.register_script(_script("change"))

    def look(self, domain: str) -> Seen:
        """Say how a domain stands."""
        with self._answering(), self._redis.pipeline() as asked:
            asked.time()
            for key in _keys(domain):
                asked.hgetall(key)
            (seconds, microseconds), *hashes = asked.execute()
        return _seen(hashes, seconds + microseconds / _MICROSECONDS)

    def reserve(self, domain: str, wish: Wish) -> Seen:
        """Reserve tokens, if that may be."""
        while True:
            seen = self._reserved(domain, wish)
            if seen.reservation is not None:
                return seen
            if not seen.revision or seen.state.settled(seen.now) is not seen.state:
                # It is asked for the first time, or the clock was set back.
                self.change(domain, lambda state, _: state)
            else:
                return seen

    def change(self, domain: str, step: Step) -> Seen:
        """Let something happen to a domain; what changes nothing is not written."""
        while True:
            seen = self.look(domain)
            state = step(seen.state.settled(seen.now), seen.now)
            if state == seen.state and seen.revision:
                return seen
            revision = max(seen.revision + 1, int(seen.now * _MICROSECONDS))
            if self._changed(domain, seen, state, revision):
                return Seen(state, seen.now, revision)

    def domains(self) -> dict[str, DomainState]:
        """Give how every domain stands, by name."""
        with self._answering():
            keys = list(self._redis.scan_iter(match=f"{_BUCKET}*", count=1000, _type="HASH"))
        seen = {name: self.look(name) for name in sorted(key[len(_BUCKET) :] for key in keys)}
        return {name: one.state for name, one in seen.items() if one.revision}

    def close(self) -> None:
        """Disconnect."""
        self._redis.close()

    def _reserved(self, domain: str, wish: Wish) -> Seen:
        unused = wish.unused
        values = (
            *(wish.epoch, wish.lead, wish.tempo.slack, wish.tokens * wish.tempo.interval),
            *((unused.next_at, unused.back_to) if unused else ("", "")),
            *(wish.answers, MOST_AHEAD_SECONDS, SET_BACK_SECONDS, REMEMBERED_SECONDS),
        )
        with self._answering():
            reserved, now, *hashes = self._reserve(_keys(domain), [_text(one) for one in values])
        seen = _seen([_pairs(one) for one in hashes], float(now))
        if not reserved:
            return seen
        state = seen.state
        reservation = Reservation(state.next_at, wish.tokens, wish.tempo, state.epoch)
        return Seen(state, seen.now, seen.revision, reservation)

    def _changed(self, domain: str, seen: Seen, state: DomainState, revision: int) -> bool:
        """Write it; False when something has come between."""
        bucket, circuit = _hashes(state)
        bucket["revision"] = str(revision)
        fields = [text for one in (bucket, circuit) for pair in one.items() for text in pair]
        values = [str(seen.revision), str(_lifetime(state, seen.now)), str(len(bucket)), *fields]
        with self._answering():
            return bool(self._change(_keys(domain), values))

    @contextmanager
    def _answering(self) -> Iterator[None]:
        from redis import RedisError, ResponseError

        try:
            yield
        except (RedisError, OSError) as error:
            words = str(error).rstrip(".")
            if type(error) is ResponseError and not _OF_ITS_STATE.search(words):
                raise StoreUnfit(f"Redis at {self._place} cannot keep a pace: {words}.") from error
            raise PaceAway(f"Redis at {self._place}: {words}") from error


def _client(address: RedisAddress, answer_seconds: float) -> Redis:
    # Not at the top: who shares no Redis need not have its library.
    from redis import Redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return Redis.from_url(
        address.url,
        decode_responses=True,
        socket_timeout=answer_seconds,
        socket_connect_timeout=answer_seconds,
        # A connection that was idle for long may be gone, and another one is there at once.
        retry=Retry(NoBackoff(), 1),
    )


@cache
def _script(name: str) -> str:
    return (Path(__file__).parent / "lua" / f"{name}.lua").read_text()


def _keys(domain: str) -> list[str]:
    return [_BUCKET + domain, _CIRCUIT + domain]


def _lifetime(state: DomainState, now: float) -> int:
    """Give the seconds for which it is remembered: none is forgotten that is left alone still."""
    circuit = state.circuit
    open_until = 0.0 if circuit.opened_at is None else circuit.opened_at + circuit.hold_seconds
    ahead = max(0.0, state.next_at - now, state.held_until - now, open_until - now)
    return math.ceil(REMEMBERED_SECONDS + ahead)


def _hashes(state: DomainState) -> tuple[dict[str, str], dict[str, str]]:
    bucket, circuit = {}, {}
    for name, value in columns_of(state).items():
        if name.startswith(_OF_CIRCUIT):
            circuit[name.removeprefix(_OF_CIRCUIT)] = _text(value)
        else:
            bucket[name] = _text(value)
    return bucket, circuit


def _seen(hashes: list[dict[str, str]], now: float) -> Seen:
    bucket, circuit = hashes
    found = bucket | {_OF_CIRCUIT + name: text for name, text in circuit.items()}
    known = {name: _value(name, text) for name, text in found.items() if name in TABLE.columns}
    row: Any = SimpleNamespace(**(columns_of(DomainState()) | known))
    return Seen(state_of(row), now, int(bucket.get("revision", 0)))


def _text(value: float | str | None) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool) else str(value)


def _value(name: str, text: str) -> Any:
    column = TABLE.columns[name]
    if column.nullable and not text:
        return None
    kind = column.type.python_type
    return kind(int(text)) if kind is bool else kind(text)


def _pairs(flat: list[str]) -> dict[str, str]:
    return dict(zip(flat[::2], flat[1::2], strict=True))

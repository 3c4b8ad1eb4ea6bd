"""All stores of paces do the same, and each thing in one piece: memory, databases, Redis."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from n8n_scraper.core.redis_settings import RedisAddress
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.pace_store import DatabasePaceStore
from n8n_scraper.ledger.redis_pace_store import RedisPaceStore
from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.pace.circuit import CircuitLimits, Result
from n8n_scraper.policies.pace.domain_state import DomainState, Rules, Step, Unused, Wish
from n8n_scraper.policies.pace.learned_rate import LearnedRate
from n8n_scraper.policies.pace.pace_store import MemoryPaceStore, PaceStore, Seen
from n8n_scraper.policies.pace.token_bucket import BucketLimits, Reservation, Tempo

RULES = Rules(BucketLimits(100.0, 5), CircuitLimits(failures=2, hold_seconds=0.5))
TEMPO = Tempo.of(RULES.limits)
BETWEEN_TWO_STATEMENTS = 0.5  # seconds; a busy machine


Open = Callable[[], PaceStore]
"""Opens the same store once more, as another process would."""


@pytest.fixture(params=["memory", "sqlite", "postgresql", "redis"])
def store(request: pytest.FixtureRequest) -> Iterator[PaceStore]:
    if request.param == "memory":
        yield MemoryPaceStore(time.time)
        return
    with closing(opener(request, request.param)()) as opened:
        yield opened


def opener(request: pytest.FixtureRequest, kind: str) -> Open:
    if kind == "redis":
        pytest.importorskip("redis")
        address = RedisAddress.parse(request.getfixturevalue("redis").url, "REDIS_URL")
        return lambda: RedisPaceStore(address, answer_seconds=10)
    database = a_database(request, kind)
    database.open()
    return lambda: DatabasePaceStore(database)


def a_database(request: pytest.FixtureRequest, kind: str) -> Database:
    if kind == "sqlite":
        url = request.getfixturevalue("sqlite_url")
    else:
        url = request.getfixturevalue("postgres_url")
    database = Database(url, patience_seconds=0)
    request.addfinalizer(database.close)
    return database


def a_domain() -> str:
    return f"{secrets.token_hex(8)}.example"


def failed(sent_at: float, category: Category = Category.TIMEOUT) -> Result:
    return Result(category, sent_at, evidence="/1", host="n8n.io")


def test_a_domain_that_nobody_has_met_has_a_full_bucket(store: PaceStore) -> None:
    seen = store.look("new.example")

    assert (seen.state, seen.revision, seen.reservation) == (DomainState(), 0, None)
    assert seen.now == pytest.approx(time.time(), abs=5)


def test_tokens_are_reserved_one_after_the_other(store: PaceStore) -> None:
    domain = a_domain()

    reserved = [store.reserve(domain, Wish(3, TEMPO, 0)).reservation for _ in range(4)]

    dues = [one.due_at(number) for one in reserved if one for number in range(3)]
    assert len(dues) == 12
    assert all(later - earlier >= TEMPO.interval - 1e-6 for earlier, later in pairwise(dues))


def test_what_is_told_is_there_when_one_looks_next(store: PaceStore) -> None:
    domain = a_domain()

    told = store.change(domain, partial(DomainState.held, seconds=30))

    seen = store.look(domain)
    assert (seen.state, seen.revision) == (told.state, told.revision)
    assert seen.state.held_until - told.now == pytest.approx(30)


def test_what_changes_nothing_is_not_written(store: PaceStore) -> None:
    domain = a_domain()
    first = store.change(domain, DomainState.met)

    assert store.change(domain, DomainState.met).revision == first.revision


def test_who_knows_an_older_state_reserves_nothing_and_learns_the_newest(store: PaceStore) -> None:
    domain = a_domain()
    store.change(domain, partial(DomainState.held, seconds=0))

    seen = store.reserve(domain, Wish(1, TEMPO, 0))

    assert (seen.reservation, seen.state.epoch) == (None, 1)


def test_a_clock_that_was_set_back_is_noticed_when_something_is_reserved(store: PaceStore) -> None:
    # Given a domain of which something was noted in a future that is none any more
    domain = a_domain()
    future = time.time() + 3_600

    def noted(state: DomainState, now: float) -> DomainState:
        return DomainState(next_at=future + 0.5, held_until=future + 1, noted_at=future)

    store.change(domain, noted)

    # When tokens are reserved
    seen = store.reserve(domain, Wish(1, TEMPO, 0))

    # Then they are due as soon as they were then
    assert seen.reservation is not None
    assert seen.reservation.due_at(0) - seen.now == pytest.approx(0.5, abs=BETWEEN_TWO_STATEMENTS)


# --- the same as the policies, whatever happens -----------------------------------------------

wishes = st.builds(
    Wish,
    tokens=st.integers(1, 9),
    tempo=st.sampled_from([TEMPO, Tempo(0.5, 1.875, 0.01), Tempo(0.02), Tempo(3.0)]),
    epoch=st.sampled_from([0, 0, 0, 1, 2]),
    lead=st.floats(0, 0.2),
    unused=st.sampled_from([None, "last", Unused(1.0, 0.0)]),  # type: ignore[arg-type]
    answers=st.sampled_from([0, 0, 1, 17]),
)
steps = st.one_of(
    st.builds(lambda seconds: partial(DomainState.held, seconds=seconds), st.floats(0, 0.02)),
    st.builds(
        lambda category: lambda state, now: state.heard(now, RULES, failed(now, category)),
        st.sampled_from([None, Category.TIMEOUT, Category.RATE_LIMITED]),
    ),
    st.builds(
        lambda number: partial(DomainState.answered, rules=RULES, number=number),
        st.integers(1, 50),
    ),
    st.builds(
        lambda name: partial(DomainState.taken, rules=RULES, name=name, witness=True),
        st.sampled_from(["one", "another"]),
    ),
    st.just(DomainState.closed),
    st.just(DomainState.met),
    st.just(partial(DomainState.left_alone, rules=RULES, reason="blocked", evidence="/2")),
)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(history=st.lists(st.one_of(wishes, steps), max_size=12))
def test_every_store_does_what_the_policies_say(
    store: PaceStore, history: list[Wish | Step]
) -> None:
    domain, last = a_domain(), None
    for wanted in history:
        before = store.look(domain)
        if isinstance(wanted, Wish):
            wish = in_view_of(wanted, last)
            seen = store.reserve(domain, wish)
            last = seen.reservation or last
            expected, reservation = before.state.reserved(moment_of(seen), wish)
            assert (seen.reservation is None) == (reservation is None)
            if reservation and seen.reservation:
                assert seen.reservation.next_at == pytest.approx(reservation.next_at, abs=1e-3)
        else:
            seen = store.change(domain, wanted)
            expected = wanted(before.state, seen.now)
        assert_same(seen.state, expected)
        assert_same(store.look(domain).state, expected)
        assert seen.revision >= before.revision


def in_view_of(wish: Wish, last: Reservation | None) -> Wish:
    """Let a wish name the tokens that were reserved last as unused, where it is to."""
    unused = wish.unused
    if not isinstance(unused, Unused):
        unused = Unused(last.next_at, last.due_at(0)) if unused and last else None
    return Wish(wish.tokens, wish.tempo, wish.epoch, wish.lead, unused, wish.answers)


def moment_of(seen: Seen) -> float:
    """When it was done: the clock goes on until an answer is given."""
    return seen.state.noted_at if seen.reservation else seen.now


def assert_same(state: DomainState, expected: DomainState) -> None:
    """Hold a state to another one, whose times may be those of some microseconds later."""
    assert state.learned == LearnedRate(
        state.learned.rate and pytest.approx(expected.learned.rate),
        pytest.approx(expected.learned.borne),
        expected.learned.price and pytest.approx(expected.learned.price),
        expected.learned.answers,
        expected.learned.since and pytest.approx(expected.learned.since, abs=1e-3),
    )
    assert state.circuit == expected.circuit
    assert state.epoch == expected.epoch
    for name in ("next_at", "held_until", "noted_at"):
        assert getattr(state, name) == pytest.approx(getattr(expected, name), abs=1e-3)


# --- in one piece, whoever else is at it ------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgresql", "redis"])
def shared(request: pytest.FixtureRequest) -> Open:
    return opener(request, request.param)


def at_once(shared: Open, work: list[Step] | list[Wish], domain: str) -> list[Seen]:
    """Let each of several connections do one thing, all at the same moment."""
    ready = threading.Barrier(len(work))

    def do(one: Step | Wish) -> Seen:
        with closing(shared()) as store:
            store.look(domain)
            ready.wait()
            if isinstance(one, Wish):
                return store.reserve(domain, one)
            return store.change(domain, one)

    with ThreadPoolExecutor(len(work)) as threads:
        return list(threads.map(do, work))


def test_of_many_who_take_the_probe_at_once_one_has_it(shared: Open) -> None:
    domain = a_domain()
    with closing(shared()) as store:
        store.change(domain, lambda state, now: opened(now))
    names = [f"{number}" for number in range(12)]

    answers = at_once(
        shared,
        [partial(DomainState.taken, rules=RULES, name=name, witness=True) for name in names],
        domain,
    )

    held_by = {seen.state.circuit.probe for seen in answers}
    assert len(answers) == 12
    assert len(held_by) == 1
    assert held_by <= set(names)


def opened(now: float) -> DomainState:
    """A domain whose hold is over."""
    return DomainState().left_alone(now - 60, RULES, "timeout", "/")


def test_failures_that_come_at_once_are_all_counted(shared: Open) -> None:
    domain = a_domain()
    patient = Rules(RULES.limits, CircuitLimits(failures=100))

    def fail(state: DomainState, now: float) -> DomainState:
        return state.heard(now, patient, failed(now))

    answers = at_once(shared, [fail] * 12, domain)

    assert sorted(seen.state.circuit.failures for seen in answers) == list(range(1, 13))


def test_tokens_that_are_reserved_at_once_are_an_interval_apart(shared: Open) -> None:
    domain = a_domain()

    answers = at_once(shared, [Wish(2, TEMPO, 0)] * 12, domain)

    dues = sorted(
        seen.reservation.due_at(number)
        for seen in answers
        if seen.reservation
        for number in range(2)
    )
    assert len(dues) == 24
    assert all(later - earlier >= TEMPO.interval - 1e-6 for earlier, later in pairwise(dues))


def test_what_is_being_stored_holds_up_no_reservation_on_postgresql(
    request: pytest.FixtureRequest,
) -> None:
    # Given a transaction that is under way and has written
    database = a_database(request, "postgresql")
    store, domain = DatabasePaceStore(database), a_domain()
    store.change(domain, DomainState.met)
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE receipts SET number = number + 1"))

        # Then a token is reserved beside it
        assert store.reserve(domain, Wish(1, TEMPO, 0)).reservation is not None
    store.close()


def test_a_connection_that_is_lost_is_replaced(request: pytest.FixtureRequest) -> None:
    database = Database(request.getfixturevalue("postgres_url"), patience_seconds=10)
    request.addfinalizer(database.close)
    store, domain = DatabasePaceStore(database), a_domain()
    store.change(domain, DomainState.met)
    with database.engine.begin() as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )
        )

    assert store.reserve(domain, Wish(1, TEMPO, 0)).reservation is not None
    store.close()

"""Reserving sessions under what a provider allows, whatever happens to their creation."""

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from n8n_scraper.policies.sessions.book import (
    LEASE_SECONDS,
    SETTLE_SECONDS,
    WINDOW_SECONDS,
    Lease,
    Limits,
    SessionBook,
    Standing,
    Told,
    is_settled,
)
from tests.thoroughness import at_length

LIMITS = Limits(at_once=3, a_minute=5)
ME = ("host:1:a", "machine")


def reserved(book: SessionBook, name: str, now: float = 0.0) -> SessionBook:
    return book.reserved(name, *ME, now, LIMITS)


def standing(book: SessionBook, name: str) -> Standing:
    lease = book.of(name)
    assert lease is not None
    return lease.standing


class Reserving(RuleBasedStateMachine):
    """Holders and a provider that counts for itself, from the moment at which it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.book = SessionBook()
        self.now = 1000.0
        self.number = 0
        self.asked: set[str] = set()
        self.running: set[str] = set()
        self.created: list[float] = []

    def pick(self, data: st.DataObject, *standings: Standing) -> str | None:
        names = [one.name for one in self.book.leases if one.standing in standings]
        return data.draw(st.sampled_from(names)) if names else None

    @rule(seconds=st.floats(0, 70))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def somebody_reserves(self) -> None:
        self.number += 1
        refusal = self.book.refusal(self.now, LIMITS)
        self.book = reserved(self.book, f"l{self.number}", self.now)
        assert (self.book.of(f"l{self.number}") is None) == (refusal is not None)
        assert refusal is None or refusal.wait_seconds > 0

    @rule(data=st.data())
    def the_provider_creates_one(self, data: st.DataObject) -> None:
        name = self.pick(data, Standing.RESERVED, Standing.DOUBTFUL)  # it may be slow
        if name is not None and name not in self.asked:
            self.asked.add(name)
            self.running.add(name)
            self.created.append(self.now)

    @rule(data=st.data(), is_heard=st.booleans())
    def it_answers(self, data: st.DataObject, is_heard: bool) -> None:
        name = self.pick(data, Standing.RESERVED)
        if name in self.running and is_heard:
            self.book = self.book.opened(name, f"remote {name}", self.now)
        elif name is not None:
            self.book = self.book.doubted(name, self.now)

    @rule(data=st.data())
    def one_is_released(self, data: st.DataObject) -> None:
        if name := self.pick(data, Standing.OPEN, Standing.DOUBTFUL, Standing.ENDING):
            self.running.discard(name)
            self.asked.add(name)
            self.book = self.book.ended(name, self.now)

    @rule()
    def a_holder_is_lost(self) -> None:
        self.book = self.book.taken_over(self.now, lambda lease: True)
        assert len(self.book.to_be_seen_to()) == len(self.book.leases)

    @invariant()
    def no_more_run_than_may(self) -> None:
        assert len(self.running) <= LIMITS.at_once
        assert self.running <= {one.name for one in self.book.leases}

    @invariant()
    def no_more_begin_within_a_minute_than_may(self) -> None:
        for at in self.created:
            assert sum(at <= other < at + 60 for other in self.created) <= LIMITS.a_minute


TestReserving = Reserving.TestCase
TestReserving.settings = settings(
    max_examples=at_length(100), stateful_step_count=40, deadline=None
)


@given(st.integers(1, 10), st.integers(1, 10), st.integers(1, 30))
def test_who_waits_as_long_as_it_is_told_may_reserve(at_once: int, a_minute: int, n: int) -> None:
    limits, book, now = Limits(at_once, a_minute), SessionBook(), 0.0
    for number in range(n):
        for _ in range(2):
            if refusal := book.refusal(now, limits):
                now += refusal.wait_seconds
        book = book.reserved(str(number), *ME, now, limits)
        assert book.of(str(number)) is not None
        book = book.opened(str(number), "r", now).ended(str(number), now)

    assert now >= (n - 1) // a_minute * WINDOW_SECONDS


@given(st.floats(0, 1e10), st.floats(0, 61.0))
def test_a_wait_always_ends_later_than_it_began(now: float, ago: float) -> None:
    refusal = SessionBook(begun=(now - ago,) * 5).refusal(now, LIMITS)

    assert refusal is None or now + refusal.wait_seconds > now


def test_a_creation_under_way_counts_until_a_minute_after_its_answer() -> None:
    book = SessionBook()
    for name in "abc":
        book = reserved(book, name)
    book = book.opened("a", "ra", 50.0).ended("a", 50.0).opened("b", "rb", 50.0).ended("b", 50.0)
    book = reserved(reserved(book, "d", 50.0), "e", 50.0)

    full = book.refusal(60.0, LIMITS)
    book = book.opened("d", "rd", 60.0).ended("d", 60.0)
    too_many = book.refusal(61.5, LIMITS)

    assert full is not None
    assert full.is_full
    assert too_many is not None
    assert too_many.wait_seconds == 50.0 + WINDOW_SECONDS - 61.5
    assert book.refusal(50.0 + WINDOW_SECONDS, LIMITS) is None


def test_a_reservation_that_was_not_used_leaves_no_trace() -> None:
    assert reserved(SessionBook(), "a").unused("a") == SessionBook()


def test_the_same_reservation_twice_is_one() -> None:
    once = reserved(SessionBook(), "a")

    assert reserved(once, "a", 9.0) == once


def test_what_a_lost_holder_has_left_is_released_or_looked_for() -> None:
    book = reserved(reserved(reserved(SessionBook(), "a"), "b"), "c").opened("a", "ra", 1.0)

    silent = book.renewed({"c": Told(2, 1, 0)}, "somebody else", 100.0)
    alive = book.renewed({"a": Told(2, 1, 0)}, ME[0], 100.0)
    lost = silent.taken_over(LEASE_SECONDS + 1, lambda lease: False)

    assert alive.taken_over(LEASE_SECONDS + 1, lambda lease: False) == alive
    assert alive.of("a") == Lease("a", *ME, 1.0, 100.0, Standing.OPEN, "ra", 2, 1, 0)
    assert standing(lost, "a") is Standing.ENDING
    assert standing(lost, "b") is Standing.DOUBTFUL
    assert book.taken_over(1.0, lambda lease: lease.name == "b").to_be_seen_to()[0].name == "b"


def test_one_that_is_nowhere_to_be_seen_does_not_exist_after_a_while() -> None:
    lease = reserved(SessionBook(), "a").doubted("a", 10.0).leases[0]

    assert not is_settled(lease, 10.0 + SETTLE_SECONDS - 1)
    assert is_settled(lease, 10.0 + SETTLE_SECONDS)


def test_a_provider_that_wants_to_be_left_alone_is() -> None:
    held = SessionBook().held(30.0).held(20.0)

    refusal = held.refusal(10.0, LIMITS)
    assert refusal is not None
    assert refusal.wait_seconds == 20.0
    assert held.refusal(30.0, LIMITS) is None


def test_a_clock_that_was_set_back_stops_nothing_for_longer_than_a_minute() -> None:
    book = SessionBook(begun=(1e9,) * 5)

    refusal = book.refusal(100.0, LIMITS)

    assert refusal is not None
    assert refusal.wait_seconds <= WINDOW_SECONDS

"""A shared store goes away and comes back, empty perhaps: nothing leaves in a burst."""

from functools import partial

import pytest

from n8n_scraper.policies.pace.circuit import CircuitLimits, Mode
from n8n_scraper.policies.pace.domain_state import DomainState, Rules, Step, Wish
from n8n_scraper.policies.pace.fallback_store import (
    ALL_HAVE_NOTICED_SECONDS,
    RETRY_SECONDS,
    FallbackPaceStore,
)
from n8n_scraper.policies.pace.pace import LOOK_SECONDS
from n8n_scraper.policies.pace.pace_store import MemoryPaceStore, PaceAway, Seen
from n8n_scraper.policies.pace.token_bucket import BucketLimits, Reservation, Tempo
from n8n_scraper.testing.clock import MovableClock

SITE = "site.example"
RULES = Rules(BucketLimits(10.0, 5), CircuitLimits(failures=1, hold_seconds=60.0))
TEMPO = Tempo.of(RULES.limits)
INTERVAL = 0.1
WORKERS = 4


class Machine:
    """Holds the memory of a shared store, and can be taken away, and given back empty."""

    blocks = True

    def __init__(self, clock: MovableClock) -> None:
        self.clock, self.is_away = clock, False
        self.memory = MemoryPaceStore(self.time)

    def time(self) -> float:
        """Tell the time there, which is another one."""
        return 5_000.0 + self.clock()

    def restart_empty(self) -> None:
        """Come back with nothing."""
        self.is_away, self.memory = False, MemoryPaceStore(self.time)

    def look(self, domain: str) -> Seen:
        return self.there().look(domain)

    def reserve(self, domain: str, wish: Wish) -> Seen:
        return self.there().reserve(domain, wish)

    def change(self, domain: str, step: Step) -> Seen:
        return self.there().change(domain, step)

    def close(self) -> None:
        pass

    def there(self) -> MemoryPaceStore:
        if self.is_away:
            raise PaceAway("it is away")
        return self.memory


class Told:
    """One worker's store, and what it said."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.said = machine, list[str]()
        self.store = FallbackPaceStore(
            machine,
            workers=lambda: WORKERS,
            interval_of=lambda domain: INTERVAL,
            clock=machine.clock,
            wall_clock=machine.clock,
            chance=lambda: 0.0,
        )
        self.store.on_away = lambda error, workers: self.said.append(f"{error}: 1/{workers}")
        self.store.on_back = lambda: self.said.append("back")

    def departures(self, seconds: float) -> list[float]:
        """Reserve whatever there is for so long; give when each token is due."""
        clock, dues, state = self.machine.clock, list[float](), None
        until = clock() + seconds
        while clock() < until:
            state = state or self.store.change(SITE, DomainState.met).state
            seen = self.store.reserve(SITE, Wish(1, TEMPO, state.epoch))
            state = seen.state
            if seen.reservation:
                dues.append(max(seen.reservation.due_at(0), seen.now))
                clock.move(max(0.01, dues[-1] - seen.now))
            else:
                clock.move(0.01)
        return dues


@pytest.fixture
def machine() -> Machine:
    return Machine(MovableClock())


@pytest.fixture
def worker(machine: Machine) -> Told:
    return Told(machine)


def departures_of(crew: list[Told], seconds: float) -> list[float]:
    """Let several take whatever there is for so long, side by side; give when each leaves."""
    clock, dues = crew[0].machine.clock, list[float]()
    waiting: dict[int, Reservation] = {}
    until = clock() + seconds
    while clock() < until:
        for number, one in enumerate(crew):
            state = one.store.change(SITE, DomainState.met).state
            mine = waiting.get(number)
            if mine and mine.epoch != state.epoch:
                del waiting[number]
            elif mine and mine.due_at(0) <= one.machine.time():
                dues.append(one.machine.time())
                del waiting[number]
            if number not in waiting:
                seen = one.store.reserve(SITE, Wish(1, TEMPO, state.epoch))
                if seen.reservation:
                    waiting[number] = seen.reservation
        clock.move(0.01)
    return dues


def most_within(dues: list[float], seconds: float) -> int:
    return max(sum(due <= one < due + seconds - 1e-6 for one in dues) for due in dues)


def test_a_domain_that_is_met_begins_with_an_empty_bucket(worker: Told) -> None:
    dues = worker.departures(5)

    assert dues[0] == pytest.approx(5_000 + 1_000 + ALL_HAVE_NOTICED_SECONDS + INTERVAL)
    assert most_within(dues, 1.0) <= 10 + 1


def test_while_the_store_is_away_a_worker_takes_its_share_and_says_so_once(worker: Told) -> None:
    worker.departures(5)

    worker.machine.is_away = True
    dues = worker.departures(20)

    assert worker.said == ["it is away: 1/4"]
    assert most_within(dues, 2.0) <= 10 / WORKERS * 2 + 1
    assert len(dues) >= (20 - 1.5) * 10 / WORKERS * 0.95


def test_what_was_known_holds_while_the_store_is_away(worker: Told) -> None:
    worker.store.change(SITE, DomainState.met)
    opened = partial(DomainState.left_alone, rules=RULES, reason="timeout", evidence="/")
    before = worker.store.change(SITE, opened)

    worker.machine.is_away = True
    seen = worker.store.look(SITE)

    assert seen.state.circuit == before.state.circuit
    assert seen.revision > before.revision
    assert seen.now == pytest.approx(before.now)


@pytest.mark.parametrize("is_empty", [False, True])
def test_a_store_that_is_back_is_taken_up_without_a_burst(worker: Told, is_empty: bool) -> None:
    # Given a worker that has gone on alone for longer than its bucket takes to fill
    worker.departures(5)
    worker.machine.is_away = True
    alone = worker.departures(10)

    # When the store is back, with what it knew or with nothing
    worker.machine.is_away = False
    if is_empty:
        worker.machine.restart_empty()
    dues = worker.departures(8)

    # Then the whole pace is kept again, and no more
    assert worker.said == ["it is away: 1/4", "back"]
    assert most_within([*alone, *dues], 1.0) <= 10 + 1
    begins = ALL_HAVE_NOTICED_SECONDS if is_empty else LOOK_SECONDS
    assert len(dues) >= (8 - RETRY_SECONDS - begins - 0.5) * 10


@pytest.mark.parametrize("number", range(WORKERS + 1))
def test_a_store_that_is_back_empty_before_all_have_noticed_is_taken_up_without_a_burst(
    machine: Machine, number: int
) -> None:
    # Given workers at one pace
    crew = [Told(machine) for _ in range(WORKERS)]
    dues = departures_of(crew, 5)

    # When so many of them ask while the store is away, and go on alone, and it is back at once
    machine.is_away = True
    for one in crew[:number]:
        one.store.look(SITE)
    machine.restart_empty()
    dues += departures_of(crew, 8)

    # Then all of them together ask no more than is allowed, and soon all of that again
    assert sum(bool(one.said) for one in crew) == number
    assert most_within(dues, 1.0) <= 10 + 1
    assert sum(due > dues[0] + 8 for due in dues) >= 0.95 * 2 * 10


def test_a_worker_that_begins_while_the_store_is_away_waits_until_all_have_counted_it(
    machine: Machine,
) -> None:
    machine.is_away, begun = True, machine.clock()

    dues = Told(machine).departures(4)

    assert dues[0] >= begun + ALL_HAVE_NOTICED_SECONDS


def test_a_store_that_has_forgotten_unnoticed_is_told_what_was_known(worker: Told) -> None:
    # Given two workers, of which one has found out that the site is down
    other = Told(worker.machine)
    other.store.change(SITE, DomainState.met)
    worker.store.change(SITE, DomainState.met)
    opened = partial(DomainState.left_alone, rules=RULES, reason="timeout", evidence="/")
    before = worker.store.change(SITE, opened)

    # When the store restarts between two questions
    worker.machine.restart_empty()
    seen = worker.store.reserve(SITE, Wish(1, TEMPO, before.state.epoch))

    # Then the site is left alone still, by all
    assert seen.reservation is None
    assert other.store.look(SITE).state.circuit == before.state.circuit
    assert before.state.circuit.mode is Mode.OPEN


def test_reservations_of_before_are_void_when_the_store_has_forgotten(worker: Told) -> None:
    met = worker.store.change(SITE, DomainState.met)

    worker.machine.restart_empty()
    seen = worker.store.look(SITE)

    assert seen.state.epoch > met.state.epoch
    assert seen.state.next_at >= seen.now + LOOK_SECONDS

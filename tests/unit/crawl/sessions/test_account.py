"""Sessions of an account: never more than may be, and none left, whatever the provider answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import pytest
from sqlalchemy import text

from n8n_scraper.core.errors import StoreLost, ToolFailed
from n8n_scraper.crawl.sessions.account import Account
from n8n_scraper.crawl.sessions.browserbase_api import BrowserbaseApi, ProviderAway
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Process
from n8n_scraper.ledger.session_book import SessionBooks
from n8n_scraper.ledger.workers import this_process
from n8n_scraper.policies.sessions.book import (
    SETTLE_SECONDS,
    Limits,
    Refusal,
    Standing,
    Told,
)
from n8n_scraper.policies.sessions.session import Need, ProxyType
from n8n_scraper.testing.browserbase import Fault, OwnBrowserbase, own_browserbase
from n8n_scraper.testing.clock import MovableClock

LIMITS = Limits(at_once=3, a_minute=5)
ME = this_process(120.0)
NEED, TIMEOUT = Need(), 900.0


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def provider(clock: MovableClock) -> Iterator[OwnBrowserbase]:
    with own_browserbase(clock=clock) as running:
        yield running


@pytest.fixture
def database(sqlite_url: str) -> Iterator[Database]:
    database = Database(sqlite_url, patience_seconds=5)
    yield database
    database.close()


@pytest.fixture
def account(provider: OwnBrowserbase, database: Database, clock: MovableClock) -> Account:
    return an_account(provider, database, clock)


def an_account(
    provider: OwnBrowserbase, database: Database, clock: MovableClock, me: Process = ME
) -> Account:
    api = BrowserbaseApi(provider.url, provider.key)
    return Account(api, SessionBooks(database, "mine", clock), LIMITS, me, sleep=clock.sleep)


def opened(account: Account, need: Need = NEED) -> str:
    name = account.reserve()
    assert isinstance(name, str), name
    account.create(name, need, TIMEOUT)
    return name


class SharedClock:
    """Moves to the next moment for which somebody waits, when all who are at work wait."""

    def __init__(self, at_work: int) -> None:
        self.now = 1000.0
        self._at_work = at_work
        self._waiting: list[float] = []
        self._changed = threading.Condition()

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        with self._changed:
            until = self.now + seconds
            self._waiting.append(until)
            self._move()
            while self.now < until:
                assert self._changed.wait(20), "nobody is at work, and time stands still"
            self._waiting.remove(until)
            self._move()  # it may be one more than are counted, and not come back

    def leave(self) -> None:
        with self._changed:
            self._at_work -= 1
            self._move()

    def _move(self) -> None:
        if self._waiting and len(self._waiting) >= self._at_work:
            self.now = max(self.now, min(self._waiting))
            self._changed.notify_all()


FAULTS = [
    *(None, None, Fault.CREATED_AND_500, None, None, None, Fault.CREATED_LATE_AND_504),
    *(None, Fault.FAILED_504, None, None, Fault.ERROR, Fault.HUNG_UP),
]


@pytest.mark.further_on("postgresql")
def test_of_200_at_once_never_too_many_run_or_begin_and_none_is_left(
    database_url: str,
) -> None:
    # Given two hundred who all want a session (half of them where processes write one after
    # another), two databases as of two processes, and a provider that creates some and says it
    # has not
    times = 8 if database_url.startswith("sqlite") else 16
    number, at_work = times * len(FAULTS), 5
    clock, turns = SharedClock(at_work), threading.Semaphore(at_work)
    databases = [Database(database_url, patience_seconds=20) for _ in range(2)]
    for database in databases:
        database.open()
    served, failed, refused, ended = [], [], [], []
    start = threading.Barrier(number, timeout=60)

    def want(place: int, provider: OwnBrowserbase) -> None:
        books = SessionBooks(databases[place % 2], "mine", clock)
        api = BrowserbaseApi(provider.url, provider.key)
        account = Account(api, books, LIMITS, ME, sleep=clock.wait)
        start.wait()
        try:
            first = account.reserve()  # all at once
            if isinstance(first, Refusal):
                refused.append(first)
            with turns if isinstance(first, Refusal) else nullcontext():
                use(account, first)
        finally:
            ended.append(place)
            if number - len(ended) < at_work:
                clock.leave()

    def use(account: Account, name: str | Refusal) -> None:
        while isinstance(name, Refusal):
            clock.wait(name.wait_seconds)
            name = account.reserve()
        try:
            account.create(name, NEED, TIMEOUT)
        except ToolFailed as error:
            failed.append(str(error))
            return
        clock.wait(1.5)
        assert account.release(name)
        served.append(name)

    with own_browserbase(clock=clock) as provider:
        provider.faults = FAULTS * times
        try:
            with ThreadPoolExecutor(number) as threads:
                list(threads.map(lambda place: want(place, provider), range(number)))

            # Then it never had to refuse, by its own count
            assert provider.refused == 0
            assert (provider.most_at_once, provider.most_a_minute) == (3, 5)
            assert len(served) + len(failed) == number
            assert len(failed) == 5 * times
            assert len(refused) > number / 2
            # and nothing runs there, and nothing stands in the book that is not known to be over
            clock.now += SETTLE_SECONDS
            account = Account(
                BrowserbaseApi(provider.url, provider.key),
                SessionBooks(databases[0], "mine", clock),
                LIMITS,
                ME,
            )
            account.reconcile()
            assert provider.running == []
            assert account.look().book.leases == ()
        finally:
            for database in databases:
                database.close()


def test_what_is_asked_for_ends_by_itself_and_is_recorded_nowhere(
    account: Account, provider: OwnBrowserbase
) -> None:
    name = opened(account, Need(ProxyType.RESIDENTIAL_ROTATING, "DE"))

    (session,) = provider.running
    assert session.asked == {
        "timeout": 900,
        "keepAlive": False,
        "browserSettings": {"solveCaptchas": False, "recordSession": False, "logSession": False},
        "userMetadata": {"by": "n8n-scraper", "book": account.look().tag, "lease": name},
        "proxies": [{"type": "browserbase", "geolocation": {"country": "DE"}}],
    }
    assert account.look().book.of(name) is not None


@pytest.mark.parametrize("fault", [Fault.AT_ONCE_429, Fault.A_MINUTE_429])
def test_a_steady_429_is_believed_and_not_asked_again(
    account: Account, provider: OwnBrowserbase, clock: MovableClock, fault: Fault
) -> None:
    provider.faults = [fault]

    with pytest.raises(ToolFailed) as raised:
        opened(account)
    refusal = account.reserve()

    assert (raised.value.wait_seconds, raised.value.everywhere) == (20.0, True)
    assert isinstance(refusal, Refusal)
    assert refusal.wait_seconds == 20.0
    clock.move(20.0)
    assert opened(account)


def test_a_key_that_is_none_is_told_without_it(
    provider: OwnBrowserbase, database: Database, clock: MovableClock
) -> None:
    api = BrowserbaseApi(provider.url, "bb-wrong-key")
    account = Account(api, SessionBooks(database, "mine", clock), LIMITS, ME)

    with pytest.raises(ToolFailed, match="BROWSERBASE_API_KEY is not one") as raised:
        opened(account)

    assert (raised.value.for_good, raised.value.everywhere) == (True, True)
    assert "bb-wrong-key" not in str(raised.value)
    with pytest.raises(ProviderAway, match="status 401: Unauthorized"):
        account.reconcile()


def test_one_that_is_created_more_slowly_than_is_waited_for_is_found_and_released(
    provider: OwnBrowserbase, database: Database, clock: MovableClock
) -> None:
    provider.faults = [Fault.SLOW]
    api = BrowserbaseApi(provider.url, provider.key, answer_seconds=0.3)
    account = Account(api, SessionBooks(database, "mine", clock), LIMITS, ME)

    with pytest.raises(ToolFailed, match="does not answer"):
        opened(account)

    assert len(provider.sessions) == 1
    assert (provider.running, account.look().book.leases) == ([], ())


@pytest.mark.parametrize("fault", [Fault.CREATED_AND_500, Fault.HUNG_UP, Fault.ERROR])
def test_a_session_that_was_created_all_the_same_is_found_and_released(
    account: Account, provider: OwnBrowserbase, fault: Fault
) -> None:
    provider.faults = [fault]

    with pytest.raises(ToolFailed):
        opened(account)

    assert len(provider.sessions) == 1
    assert provider.running == []
    assert account.look().book.leases == ()


def test_one_that_appears_later_keeps_its_place_until_it_is_released(
    account: Account, provider: OwnBrowserbase, clock: MovableClock
) -> None:
    provider.faults = [Fault.CREATED_LATE_AND_504]
    with pytest.raises(ToolFailed):
        opened(account)
    (doubtful,) = account.look().book.leases
    assert doubtful.standing is Standing.DOUBTFUL
    assert not account.release(doubtful.name)

    clock.move(12.0)
    assert len(provider.running) == 1
    released = account.reconcile()

    assert released == ["session-0"]
    assert (provider.running, account.look().book.leases) == ([], ())


def test_one_that_is_nowhere_to_be_seen_loses_its_place_after_a_while(
    account: Account, provider: OwnBrowserbase, clock: MovableClock
) -> None:
    provider.faults = [Fault.FAILED_504]
    with pytest.raises(ToolFailed):
        opened(account)

    account.reconcile()
    assert len(account.look().book.leases) == 1
    clock.move(SETTLE_SECONDS)
    account.reconcile()

    assert account.look().book.leases == ()


def test_a_release_that_fails_is_repeated_and_else_left_to_who_comes_next(
    account: Account, provider: OwnBrowserbase
) -> None:
    one, other = opened(account), opened(account)
    provider.failing_releases = 2

    assert account.release(one)
    provider.failing_releases = 3
    assert not account.release(other)

    assert len(provider.running) == 1
    assert account.reconcile() == ["session-1"]
    assert (provider.running, account.look().book.leases) == ([], ())


def test_what_a_lost_holder_has_left_is_released_and_what_others_have_is_not(
    provider: OwnBrowserbase, database: Database, clock: MovableClock, tmp_path: Path
) -> None:
    # Given a holder whose process is gone, one far away that lives, and another database's
    gone = Process(f"{ME.host}:{2**22 + 1}:x", ME.machine, 120.0)
    far = Process("elsewhere:1:x", "elsewhere", 120.0)
    other = Database(f"sqlite:///{tmp_path}/other.db")
    try:
        opened(an_account(provider, other, clock))
    finally:
        other.close()
    left = an_account(provider, database, clock, gone)
    opened(left)
    name = left.reserve()
    assert isinstance(name, str)
    there = an_account(provider, database, clock, far)
    account = an_account(provider, database, clock)

    # When somebody comes who finds all places taken
    assert account.reconcile() == ["session-1"]
    clock.move(SETTLE_SECONDS)
    account.reconcile()
    kept = opened(there)
    there.tell({kept: Told(1, 0, 1)})
    account.reconcile()

    # Then only what is lost was released
    assert [one.id for one in provider.running] == ["session-0", "session-2"]
    assert [one.name for one in account.look().book.leases] == [kept]
    # and a holder that gives no sign of life any more is lost as well
    clock.move(200.0)
    assert account.reconcile() == ["session-2"]


def test_a_full_book_is_looked_through_before_anybody_waits_for_the_dead(
    provider: OwnBrowserbase, database: Database, clock: MovableClock
) -> None:
    gone = Process(f"{ME.host}:{2**22 + 1}:x", ME.machine, 120.0)
    for _ in range(LIMITS.at_once):
        opened(an_account(provider, database, clock, gone))
    account = an_account(provider, database, clock)

    assert isinstance(account.reserve(), Refusal)

    assert provider.running == []
    assert isinstance(account.reserve(), str)


def test_a_reservation_that_was_taken_over_is_not_used(
    account: Account, provider: OwnBrowserbase, clock: MovableClock
) -> None:
    name = account.reserve()
    assert isinstance(name, str)
    clock.move(200.0)
    account.reconcile()

    with pytest.raises(ToolFailed, match="the reservation was lost"):
        account.create(name, NEED, TIMEOUT)

    assert provider.sessions == {}


def test_what_is_open_is_released_also_where_the_book_is_lost(
    account: Account, provider: OwnBrowserbase, database: Database
) -> None:
    name = opened(account)
    database.do(lambda session: session.execute(text("DROP TABLE browser_sessions")))

    with pytest.raises(StoreLost):
        account.release(name, "session-0")

    assert provider.running == []


def test_where_nobody_listens_nothing_is_in_doubt(database: Database) -> None:
    api = BrowserbaseApi("http://127.0.0.1:9", "key")
    account = Account(api, SessionBooks(database, "mine"), LIMITS, ME)

    with pytest.raises(ToolFailed, match=r"Browserbase: http://127\.0\.0\.1:9 does not answer"):
        opened(account)

    assert account.look().book.leases == ()
    with pytest.raises(ProviderAway):
        account.reconcile()


def test_a_reservation_that_was_not_needed_is_given_back(account: Account) -> None:
    name = account.reserve()
    assert isinstance(name, str)

    assert account.release(name)

    assert account.look().book.leases == ()
    assert account.look().book.begun == ()

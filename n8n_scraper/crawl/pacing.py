"""The pace of every domain in a crawl, by the settings, by one clock, and by what others tell.

What is shared is kept in a store. One that may take its time is asked on a thread, and until it has
answered nothing leaves; whoever waits is told of the answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakSet

from scrapy import Request

from n8n_scraper.crawl.per_crawler import PerCrawler
from n8n_scraper.policies.pace.circuit import CircuitLimits
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.pace.domain_state import DomainState, Rules, Step
from n8n_scraper.policies.pace.pace import Pace, Question
from n8n_scraper.policies.pace.pace_settings import CircuitSettings, PaceSettings
from n8n_scraper.policies.pace.pace_store import MemoryPaceStore, PaceStore, Seen
from n8n_scraper.policies.pace.token_bucket import BucketLimits

if TYPE_CHECKING:
    from n8n_scraper.core.typed_settings import Given

Clock = Callable[[], float]


class Paces:
    """One pace for each registrable domain, so that `n8n.io` and `api.n8n.io` share theirs."""

    def __init__(
        self,
        default: BucketLimits,
        by_domain: Mapping[str, BucketLimits],
        circuit_limits: CircuitLimits | None = None,
        clock: Clock = time.monotonic,
        wall_clock: Clock = time.time,
        floor: float = 0.0,
    ) -> None:
        self.clock = clock
        self.wall_clock = wall_clock
        self.on_news: Callable[[], object] = lambda: None
        """Is called when an answer has come that may let somebody leave."""
        self.on_change: Callable[[Pace, DomainState], object] = lambda pace, before: None
        """Is called when something is new of a domain, with how it stood before."""
        self.on_loss: Callable[[Exception], object] = lambda error: None
        """Is called when the store is lost; nothing leaves any more."""
        self._default = default
        self._limits = by_domain
        self._circuit_limits = circuit_limits or CircuitLimits()
        self._floor = floor
        self._store: PaceStore = MemoryPaceStore(lambda: self.clock())
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pace")
        self._is_lost = False
        self._paces: dict[str, Pace] = {}
        self._asking: set[str] = set()
        self._waiting: set[asyncio.Future[None]] = set()
        self._on_their_way: dict[str, WeakSet[Request]] = {}

    @classmethod
    def from_settings(cls, settings: Given) -> Paces:
        """Take the limits of the settings."""
        pace = PaceSettings.from_settings(settings)
        limits = CircuitSettings.from_settings(settings).limits
        return cls(pace.default, pace.by_domain, limits, floor=pace.floor)

    def share(self, store: PaceStore) -> None:
        """Keep one pace with all who use this store, before anything is asked of a domain."""
        self._store = store

    def of(self, request: Request) -> Pace:
        """The pace that this request has to keep."""
        return self.of_domain(registrable_domain(request.url))

    def of_domain(self, domain: str) -> Pace:
        """The pace of a registrable domain."""
        if domain not in self._paces:
            limits = self._limits.get(domain, self._default)
            self._paces[domain] = Pace(domain, Rules(limits, self._circuit_limits, self._floor))
        return self._paces[domain]

    def interval_of(self, domain: str) -> float:
        """Give the seconds from one token of a domain to the next; 0 without a limit."""
        rate = self._limits.get(domain, self._default).rate
        return 1 / rate if rate else 0.0

    def all(self) -> list[Pace]:
        """The paces of the domains met so far."""
        return list(self._paces.values())

    def wait(self, pace: Pace, *, ahead: int = 0, waiting: int = 1) -> float | None:
        """Seconds until one more of `waiting` requests may leave behind `ahead` others.

        None until the store has said something new; it is asked for what is lacking.
        """
        now = self.clock()
        while pace.domain not in self._asking and not self._is_lost:
            question = pace.ask(now, ahead=ahead, waiting=waiting)
            if question is None:
                break
            self._put(pace, question)
        return pace.wait(now, ahead=ahead)

    def look(self) -> None:
        """Ask how those domains stand of which requests wait or have left just now."""
        now = self.clock()
        for pace in self.all():
            if pace.domain in self._asking or self._is_lost:
                continue
            if question := pace.news(now):
                self._put(pace, question)

    async def tell(self, pace: Pace, step: Step, *, as_complaint: bool = False) -> None:
        """Tell the store what has happened to a domain; after a complaint nothing leaves before."""
        question = partial(_change, domain=pace.domain, step=step)
        with pace.complaining() if as_complaint else nullcontext():
            asked_at = self.clock()
            if not self._store.blocks:
                self._hear(pace, question(self._store), asked_at)
            elif not self._is_lost:
                answer = asyncio.get_running_loop().run_in_executor(
                    self._thread, question, self._store
                )
                try:
                    self._hear(pace, await answer, asked_at)
                except Exception as error:  # noqa: BLE001 - the same
                    self._lose(error)
        self._tell_of_news()

    async def news(self, at_most: float) -> None:
        """Wait until there is something new of some domain, or for so many seconds."""
        told = asyncio.get_running_loop().create_future()
        self._waiting.add(told)
        try:
            await asyncio.wait([told], timeout=at_most)
        finally:
            self._waiting.discard(told)

    async def close(self) -> None:
        """Give back the probe that is not sent, let the last word to the store come, and leave."""
        for pace in self.all():
            if pace.probe:
                await self.tell(pace, partial(DomainState.given_back, name=pace.probe))
        self._is_lost = True
        await asyncio.get_running_loop().run_in_executor(self._thread, self._store.close)
        self._thread.shutdown(wait=False)

    def on_their_way(self, pace: Pace) -> WeakSet[Request]:
        """The requests that were let out of the waiting room and have not taken their token yet.

        The throttle forgets each when it takes its token or turns out not to need one (its answer
        was in the cache, robots.txt forbids it). One that is lost otherwise is forgotten with the
        request itself.
        """
        return self._on_their_way.setdefault(pace.domain, WeakSet())

    def _put(self, pace: Pace, question: Question) -> None:
        asked_at = self.clock()
        if not self._store.blocks:
            self._hear(pace, question(self._store), asked_at)
            return
        self._asking.add(pace.domain)
        answer = asyncio.get_running_loop().run_in_executor(self._thread, question, self._store)
        answer.add_done_callback(partial(self._answered, pace, asked_at))

    def _answered(self, pace: Pace, asked_at: float, answer: asyncio.Future[Seen]) -> None:
        self._asking.discard(pace.domain)
        if answer.cancelled():
            return
        try:
            self._hear(pace, answer.result(), asked_at)
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not be waited for
            self._lose(error)
        self._tell_of_news()

    def _hear(self, pace: Pace, seen: Seen, asked_at: float) -> None:
        before = pace.state or DomainState()
        pace.hear(seen, asked_at=asked_at, heard_at=self.clock())
        if pace.state is not before:
            self.on_change(pace, before)

    def _tell_of_news(self) -> None:
        for told in self._waiting:
            if not told.done():
                told.set_result(None)
        self.on_news()

    def _lose(self, error: Exception) -> None:
        if not self._is_lost:
            self._is_lost = True
            self.on_loss(error)


def _change(store: PaceStore, *, domain: str, step: Step) -> Seen:
    return store.change(domain, step)


paces_of: PerCrawler[Paces] = PerCrawler(lambda crawler: Paces.from_settings(crawler.settings))
"""The paces that scheduler, middlewares and progress display of a crawl share."""

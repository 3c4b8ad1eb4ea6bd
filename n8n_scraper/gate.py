"""Say when a domain's next request may leave, and wake the engine for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.utils.asyncio import CallLaterResult, call_later

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.core.downloader import Slot
    from scrapy.crawler import Crawler

    from n8n_scraper.pacing import Paces
    from n8n_scraper.policies.pace import Pace


class Gate:
    """What every scheduler of ours asks before it gives out a request.

    A domain never has more requests at work than its download slot takes, and keeps the delay that
    AutoThrottle gives that slot: nothing ever queues behind the scheduler.
    """

    def __init__(self, paces: Paces, crawler: Crawler) -> None:
        self.paces = paces
        self.crawler = crawler
        self._wake_engine: Callable[[], object] = lambda: None
        self._alarm: CallLaterResult | None = None

    def open(self) -> None:
        """Find the one way to tell the engine that something is due.

        Without it the engine looks up every five seconds only. Scrapy has no public name for it,
        so a version that renames it must fail here and not crawl slowly.
        """
        assert self.crawler.engine is not None
        self._wake_engine = self.crawler.engine._slot.nextcall.schedule  # type: ignore[union-attr]

    def close(self) -> None:
        """Wake nobody any more."""
        self.wake_in(None)

    def wait(self, pace: Pace, now: float) -> float | None:
        """Seconds until one more request may leave; None until one that is at work has ended."""
        ahead = len(self.paces.on_their_way(pace))
        wait = pace.wait(now, ahead=ahead)
        slot: Slot | None = self.crawler.engine.downloader.slots.get(pace.domain)
        if slot is None:
            return wait
        if len(slot.active) >= slot.concurrency:
            return None  # a finished download wakes the engine by itself
        return max(wait, max(slot.lastseen + slot.delay - now, 0.0) + ahead * slot.delay)

    def wake_in(self, seconds: float | None) -> None:
        """Set the alarm, in place of any earlier one."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if seconds is not None:
            self._alarm = call_later(max(seconds, 0.0), self._wake_engine)

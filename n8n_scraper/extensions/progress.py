"""Show how far, how fast and how long still: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import logging
import sys
import time
from typing import TYPE_CHECKING, Protocol, Self

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text
from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from n8n_scraper.core.signals import item_ended, run_started
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.per_crawler import PerCrawler
from n8n_scraper.crawl.sourced import noun_of_crawl, source_of_crawl
from n8n_scraper.crawl.working import worker_of
from n8n_scraper.policies.pace.circuit import Mode
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.run.display import HowShown, ProgressSettings
from n8n_scraper.policies.run.eta import Course
from n8n_scraper.policies.run.progress import (
    BucketLevel,
    CrawlProgress,
    Every,
    LeftAlone,
    pictures,
    soonest_first,
    summary,
)

if TYPE_CHECKING:
    from rich.console import ConsoleOptions, RenderResult
    from scrapy.crawler import Crawler

    from n8n_scraper.policies.pace.pace import Pace

logger = logging.getLogger(__name__)

_LINE_EVERY = 10  # items
_LOOK_EVERY = 1.0  # seconds
_BAR_WIDTH = 20
_LEAST_BAR_WIDTH = 6

course_of: PerCrawler[Course] = PerCrawler(lambda _: Course())
"""How far this process has come, shared by all who tell of it."""


class Progress:
    """Tell the person running the crawl how it goes.

    Settings: `PROGRESS` (`auto`, `bar`, `lines`, `off`).
    """

    def __init__(self, crawler: Crawler, *, as_bar: bool) -> None:
        self.crawler = crawler
        self.worker = worker_of(crawler)
        self.paces = paces_of(crawler)
        self.course = course_of(crawler)
        source = source_of_crawl(crawler)
        self.site = registrable_domain(source.places(crawler.settings)[0]) if source else None
        self.noun = noun_of_crawl(crawler)
        self.display: Display = BarDisplay() if as_bar else LineDisplay()
        self._watch = create_looping_call(self.look)
        connect = crawler.signals.connect
        connect(self.run_started, run_started)
        connect(self.item_ended, item_ended)
        connect(self.engine_stopped, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Choose the display by the setting and by where the log goes."""
        settings = ProgressSettings.from_settings(crawler.settings)
        if settings.display is HowShown.OFF:
            raise NotConfigured
        on_terminal = sys.stderr.isatty() and not crawler.settings["LOG_FILE"]
        return cls(crawler, as_bar=settings.as_bar(on_terminal=on_terminal))

    def run_started(self) -> None:
        """Put the display up; what an earlier process of the run has done is not our doing."""
        self.display.open()
        done = self.worker.run.counts.done
        self.course.begin(time.monotonic(), done)
        self.display.begin(done)
        self._watch.start(_LOOK_EVERY, now=False)

    def item_ended(self) -> None:
        """Show that one more is through."""
        self.look()

    def engine_stopped(self) -> None:
        """Show where it ended, when nothing can end any more."""
        if self._watch.running:
            self._watch.stop()
        if self.worker.run_id is not None:
            self.look()
            self._sum_up()
        self.display.close()

    def look(self) -> None:
        """Show where it stands."""
        self.display.show(self._progress())

    def _progress(self) -> CrawlProgress:
        now, paces = time.monotonic(), self.paces.all()
        self.course.requests.mark(now, sum(pace.stats.requests for pace in paces))
        return self.course.progress(
            now,
            self.worker.run.counts,
            still_planning=not self.worker.run.inventory.is_over,
            bucket=next((_level(pace, now) for pace in paces if pace.domain == self.site), None),
            left_alone=_left_alone(paces, now),
            noun=self.noun,
        )

    def _sum_up(self) -> None:
        counts, elapsed = self.worker.run.counts, self.course.elapsed(time.monotonic())
        logger.info(summary(counts, self.course.own(counts.done), elapsed, self.noun))
        stats = self.crawler.stats
        came = (stats.get_value(f"images/{became}", 0) for became in ("stored", "failed"))
        if words := pictures(*came):
            logger.info(words)


def _level(pace: Pace, now: float) -> BucketLevel:
    return BucketLevel.of(pace.available(now), pace.rules.limits, pace.learned_rate)


def _left_alone(paces: list[Pace], now: float) -> tuple[LeftAlone, ...]:
    return soonest_first(
        LeftAlone(pace.domain, pace.left_alone_for(now) if pace.circuit.mode is Mode.OPEN else 0.0)
        for pace in paces
        if pace.circuit.leaves_alone
    )


class Display(Protocol):
    """Where progress is shown."""

    def open(self) -> None:
        """Put it up."""

    def begin(self, done: int) -> None:
        """Start from what others have done before."""

    def show(self, progress: CrawlProgress) -> None:
        """Show where it stands."""

    def close(self) -> None:
        """Take it down."""


class LineDisplay:
    """A line in the log for every ten items."""

    def __init__(self) -> None:
        self._ten_more = Every(_LINE_EVERY)

    def open(self) -> None:
        """Nothing to prepare."""

    def begin(self, done: int) -> None:
        """Count the tens from there."""
        self._ten_more.begin(done)

    def show(self, progress: CrawlProgress) -> None:
        """Write a line when ten more are through."""
        if self._ten_more.is_due(progress.counts.done):
            logger.info(progress.line())

    def close(self) -> None:
        """Nothing to take down."""


class BarDisplay:
    """A bar at the foot of the terminal; log lines go above it."""

    def __init__(self, console: Console | None = None) -> None:
        self.line = BarLine()
        self._live = Live(self.line, console=console or Console(stderr=True))

    def open(self) -> None:
        """Draw the bar, and send the log through it."""
        self._live.start()
        self._redirect_log()

    def begin(self, done: int) -> None:
        """Nothing to prepare."""

    def show(self, progress: CrawlProgress) -> None:
        """Move the bar."""
        self.line.progress = progress

    def close(self) -> None:
        """Leave the bar as it stands, and give the log its stream back."""
        self._live.stop()
        self._redirect_log()

    def _redirect_log(self) -> None:
        # While the bar is drawn, sys.stderr is rich's: what is written to it appears above.
        for handler in logging.root.handlers:
            if isinstance(handler, logging.StreamHandler) and handler.stream is not sys.stdout:
                handler.setStream(sys.stderr)


class BarLine:
    """The bar and as much of the rest as fits; never more than one line, however narrow."""

    progress: CrawlProgress | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it as wide as the terminal is at this moment."""
        shown, width = self.progress, options.max_width - 1  # the last column makes some wrap
        planning = shown is None or shown.still_planning
        name = shown.noun.many if shown and not planning else "inventory"
        done, total = (shown.counts.done, shown.counts.total) if shown else (0, 0)
        count = f"{done}/{total}" if shown else ""
        bar = _BAR_WIDTH if width >= 100 else _LEAST_BAR_WIDTH
        room = width - len(name) - len(count) - bar - 3
        details = shown.details(max(0, room)) if shown else ""
        line = Table.grid(padding=(0, 1, 0, 0))
        for _ in range(4):
            line.add_column(no_wrap=True, overflow="crop")
        whole = total if total and not planning else None
        drawn = ProgressBar(total=whole, completed=done, width=bar)
        line.add_row(Text(name, "bold"), drawn, Text(count, "green"), Text(details))
        yield from console.render(line, options.update_width(width))

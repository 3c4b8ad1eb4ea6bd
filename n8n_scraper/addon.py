"""The wiring: every component of ours, its position, and why it stands there."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Self

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.downloadermiddlewares.httpproxy import HttpProxyMiddleware
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware, RedirectMiddleware
from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.extensions.feedexport import FeedExporter
from scrapy.extensions.spiderstate import SpiderState
from scrapy.settings import BaseSettings

from n8n_scraper.core.environment import take_old_names
from n8n_scraper.crawl.introduction import Introduction
from n8n_scraper.crawl.proxy_settings import ProxySettings
from n8n_scraper.crawl.queued_scheduler import PacedQueue, QueuedScheduler
from n8n_scraper.crawl.quiet import hush
from n8n_scraper.crawl.scheduler import PacedScheduler
from n8n_scraper.crawl.scrapy_internals import check_internals
from n8n_scraper.crawl.tools.ladder_settings import LadderSettings
from n8n_scraper.extensions.checkpoints import Checkpoints
from n8n_scraper.extensions.domain_record import DomainRecord
from n8n_scraper.extensions.feeds import TruthfulFeedExporter
from n8n_scraper.extensions.metrics import Metrics
from n8n_scraper.extensions.outside import Outside
from n8n_scraper.extensions.pace_keeper import PaceKeeper
from n8n_scraper.extensions.plain_end import PlainEnd
from n8n_scraper.extensions.progress import Progress
from n8n_scraper.extensions.proxy_keeper import ProxyKeeper
from n8n_scraper.extensions.run_lifecycle import RunLifecycle
from n8n_scraper.extensions.tool_record import ToolRecord
from n8n_scraper.middlewares.answer_size import AnswerSizeMiddleware
from n8n_scraper.middlewares.categorised_retry import CategorisedRetryMiddleware
from n8n_scraper.middlewares.circuit_breaker import CircuitBreakerMiddleware
from n8n_scraper.middlewares.drafts import DraftsMiddleware
from n8n_scraper.middlewares.escalation import EscalationMiddleware
from n8n_scraper.middlewares.ladder import LadderMiddleware
from n8n_scraper.middlewares.proxies import ProxiesMiddleware
from n8n_scraper.middlewares.redirects import (
    DomesticMetaRefreshMiddleware,
    DomesticRedirectMiddleware,
)
from n8n_scraper.middlewares.throttle import ThrottleMiddleware
from n8n_scraper.middlewares.work_in_hand import WorkInHandMiddleware
from n8n_scraper.pipelines.checks import ChecksPipeline
from n8n_scraper.pipelines.contract import ContractPipeline
from n8n_scraper.pipelines.database import DatabasePipeline
from n8n_scraper.pipelines.pictures import PicturesPipeline
from n8n_scraper.pipelines.transcripts import TranscriptsPipeline

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_CONSOLES = {
    "REMOTE_CONTROL_ENABLED": "scrapy.extensions.remote_control.RemoteControl",
    "TELNETCONSOLE_ENABLED": "scrapy.extensions.telnet.TelnetConsole",
}


Wiring = dict[str, tuple[tuple[type, int | None], ...]]
"""Components by the setting that lists them, with their positions; None takes one out."""

# For every spider: the site is treated politely, and nothing is lost in silence.
_PACE: Wiring = {
    "DOWNLOADER_MIDDLEWARES": (
        (RetryMiddleware, None),
        # Ours knows the categories; on the way back it decides about an attempt...
        (CategorisedRetryMiddleware, 550),
        # ... that the circuit has heard of before, attempt by attempt. Both stand below the
        # decompression (590), because they judge what the answer says.
        (CircuitBreakerMiddleware, 560),
        # Behind HttpCache (900): an answer from the cache costs the site nothing.
        (ThrottleMiddleware, 910),
    ),
    "EXTENSIONS": (
        (PaceKeeper, 150),
        # Scrapy's own forgets what it could not write.
        (FeedExporter, None),
        (TruthfulFeedExporter, 0),
        # It only reads, and may come last.
        (Metrics, 900),
    ),
}

# For a spider that keeps an archive of items: its ledger, its checks, its tables.
_ARCHIVE: Wiring = {
    "DOWNLOADER_MIDDLEWARES": (
        # Another site's answer is no item of this one, and one without bounds is none at all.
        (HttpCompressionMiddleware, None),
        (AnswerSizeMiddleware, 590),
        (RedirectMiddleware, None),
        (DomesticRedirectMiddleware, 600),
        (MetaRefreshMiddleware, None),
        (DomesticMetaRefreshMiddleware, 580),
        # Nearest to the engine: an answer that waits for room has been judged, and heard by all.
        (WorkInHandMiddleware, 20),
    ),
    "ITEM_PIPELINES": (
        # Judged before scored, scored before stored.
        (ContractPipeline, 100),
        (ChecksPipeline, 200),
        (DatabasePipeline, 900),
        # What needs asking comes after it, when it comes.
        (TranscriptsPipeline, 950),
        # Last of all: an item is stored, whatever becomes of its pictures.
        (PicturesPipeline, 970),
    ),
    "EXTENSIONS": (
        # Ends the run, and says the last word when everything else has ended.
        (RunLifecycle, 100),
        # Stops to note counts before the totals are noted.
        (Checkpoints, 80),
        # Sums up before the last word is said.
        (Progress, 90),
        # Writes down how domains were asked, also what was sent last.
        (DomainRecord, 105),
        # Tells those outside who are to be told, while the run goes on and when it has been left.
        (Outside, 110),
        # It pickles into JOBDIR what is never read, and a torn file of its would stop the start.
        (SpiderState, None),
    ),
}

# For a spider that waits with an answer until it is known whether it is kept.
_DRAFTS: Wiring = {
    # Behind the escalation (990), which decides that.
    "SPIDER_MIDDLEWARES": ((DraftsMiddleware, 985),),
}

# For every spider of a crawl that goes through proxies.
_PROXIES: Wiring = {
    "DOWNLOADER_MIDDLEWARES": (
        (HttpProxyMiddleware, None),
        # Behind the throttle (910), where a request really leaves: a proxy is chosen then, whose
        # failures nobody else hears of.
        (ProxiesMiddleware, 920),
    ),
    "EXTENSIONS": ((ProxyKeeper, 160),),
}

# For every spider of a crawl that leaves it open with which tool a page is fetched.
_LADDER: Wiring = {
    "DOWNLOADER_MIDDLEWARES": (
        # Above the retry (550) on the way back: another tool is asked before the same one again.
        (LadderMiddleware, 555),
    ),
    "SPIDER_MIDDLEWARES": (
        # Nearest to the spider: what it gives of several answers, all others see once.
        (EscalationMiddleware, 990),
    ),
}

# The same, where there is a database to remember what each tool has brought.
_REMEMBERED: Wiring = {"EXTENSIONS": ((ToolRecord, 170),)}

# For any other spider: Scrapy as it is, with an end that is told.
_PLAIN: Wiring = {"EXTENSIONS": ((PlainEnd, 100),)}


class ScraperAddon:
    """Puts the components in their places.

    A downloader middleware with a small number is near the engine, one with a large number near
    the site; requests pass them upwards, answers downwards. A spider that says of itself
    `keeps_the_archive = True` gets what the archive needs; any other gets Scrapy as it is, at our
    pace. One with `gives_drafts = True` may wait until it is known which answer of a page is kept.
    """

    def __init__(self, *, keeps_the_archive: bool = True, gives_drafts: bool = False) -> None:
        self.keeps_the_archive = keeps_the_archive
        self.gives_drafts = gives_drafts

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Look at what the spider is for."""
        says = partial(getattr, crawler.spidercls)
        return cls(
            keeps_the_archive=says("keeps_the_archive", False),
            gives_drafts=says("gives_drafts", False),
        )

    def update_settings(self, settings: BaseSettings) -> None:
        """Wire a crawl."""
        check_internals()
        for line in take_old_names(settings):
            logger.warning(line)
        hush(settings)
        _introduce(settings)
        _wire_the_pace(settings)
        if self.gives_drafts:
            _wire(settings, _DRAFTS)
        if self.keeps_the_archive:
            _wire_the_archive(settings)
        else:
            _wire_a_plain_spider(settings)


def _introduce(settings: BaseSettings) -> None:
    """Say who we are and how the operator is reached, unless there are other words for it."""
    words = Introduction.from_settings(settings).user_agent
    settings.set("USER_AGENT", words, settings.getpriority("USER_AGENT") or 0)


def _wire_the_pace(settings: BaseSettings) -> None:
    _wire(settings, _PACE)
    if ProxySettings.from_settings(settings).in_use:
        _wire(settings, _PROXIES)
    if LadderSettings.from_settings(settings).tools:
        _wire(settings, _LADDER)
    # Scrapy loads a console that is off all the same, and with it a whole web server.
    for switch, console in _CONSOLES.items():
        if not settings.getbool(switch):
            settings["EXTENSIONS_BASE"].pop(console, None)


def _wire_a_plain_spider(settings: BaseSettings) -> None:
    _wire(settings, _PLAIN)
    settings.set("SCHEDULER", QueuedScheduler, "addon")
    settings.set("SCHEDULER_PRIORITY_QUEUE", PacedQueue, "addon")


def _wire_the_archive(settings: BaseSettings) -> None:
    _wire(settings, _ARCHIVE)
    if LadderSettings.from_settings(settings).tools:
        _wire(settings, _REMEMBERED)
    # Waiting happens here, where it holds no place; the ledger does what a queue on disk and
    # a filter of seen addresses would do, and knows better.
    settings.set("SCHEDULER", PacedScheduler, "addon")
    settings.set("DUPEFILTER_CLASS", "scrapy.dupefilters.BaseDupeFilter", "addon")
    # The progress display says in words what these two would.
    settings.set("LOGSTATS_INTERVAL", 0, "addon")
    settings.set("STATS_DUMP", False, "addon")


def _wire(settings: BaseSettings, wiring: Wiring) -> None:
    for setting, components in wiring.items():
        for component, position in components:
            settings.set_in_component_priority_dict(setting, component, position)

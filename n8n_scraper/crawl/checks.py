"""Check the settings before anything starts, so that a mistake costs one line and no half crawl.

Each component reads and checks its own; here they are listed, with what is Scrapy's.
"""

from __future__ import annotations

from scrapy.settings import BaseSettings, default_settings

from n8n_scraper.core.redis_settings import RedisSettings
from n8n_scraper.core.typed_settings import TypedSettings, refuse, seconds, switch, whole
from n8n_scraper.crawl.checkpoint_settings import CheckpointSettings
from n8n_scraper.crawl.compute.pool import ComputeSettings
from n8n_scraper.crawl.feed_checks import check_feeds
from n8n_scraper.crawl.introduction import Introduction
from n8n_scraper.crawl.proxy_settings import ProxySettings
from n8n_scraper.crawl.quiet import LogSettings
from n8n_scraper.crawl.sessions.session_settings import SessionSettings
from n8n_scraper.crawl.tools.ladder_settings import LadderSettings
from n8n_scraper.crawl.tools.tool_settings import ToolSettings
from n8n_scraper.etl.etl_settings import EtlSettings
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.media.picture_settings import PictureSettings
from n8n_scraper.media.transcripts.options import TranscriptSettings
from n8n_scraper.metrics.metrics_settings import MetricsSettings
from n8n_scraper.policies.alerts.alert_settings import AlertSettings
from n8n_scraper.policies.failure.retry_settings import RetrySettings
from n8n_scraper.policies.pace.pace_settings import CircuitSettings, PaceSettings
from n8n_scraper.policies.run.display import ProgressSettings
from n8n_scraper.policies.run.run_settings import RunSettings
from n8n_scraper.policies.safety.redaction import RedactionSettings
from n8n_scraper.sources import all_sources
from n8n_scraper.sources_file.sources_file_settings import SourcesFileSettings

COMPONENTS: tuple[type[TypedSettings], ...] = (
    DatabaseSettings,
    RedisSettings,
    PaceSettings,
    CircuitSettings,
    RetrySettings,
    ProxySettings,
    RunSettings,
    ComputeSettings,
    Introduction,
    RedactionSettings,
    TranscriptSettings,
    PictureSettings,
    ProgressSettings,
    CheckpointSettings,
    MetricsSettings,
    EtlSettings,
    AlertSettings,
    LogSettings,
    ToolSettings,
    LadderSettings,
    SourcesFileSettings,
    SessionSettings,
)
"""Whoever reads a setting of ours; one of a source is read by that source."""

_SCRAPYS_KEPT = ("CONCURRENT_REQUESTS", "ROBOTSTXT_OBEY", "USER_AGENT", "JOBDIR")
_SCRAPYS_SECONDS = ("DOWNLOAD_TIMEOUT", "DOWNLOAD_DELAY", "DNS_TIMEOUT")
_SCRAPYS_PLACES = ("CONCURRENT_REQUESTS", "CONCURRENT_REQUESTS_PER_DOMAIN", "CONCURRENT_ITEMS")


def check_settings(settings: BaseSettings) -> None:
    """Raise BadInput for the first setting that nobody can work with."""
    places = [place for source in all_sources() for place in source.places(settings)]
    for component in COMPONENTS:
        component.from_settings(settings).check()
    proxies = ProxySettings.from_settings(settings)
    for place in places:
        proxies.check_carries(place)
    tools = ToolSettings.from_settings(settings)
    tools.check_has(LadderSettings.from_settings(settings).tools)
    SessionSettings.from_settings(settings).check_place(tools.devtools_url)
    check_feeds(settings)
    for name in _SCRAPYS_PLACES:
        whole(settings, name)
    for name in _SCRAPYS_SECONDS:
        seconds(settings, name)
    _like_scrapys_own(settings)


def kept_settings() -> tuple[str, ...]:
    """Name the settings that shape what a run brings or how fast."""
    return tuple(name for component in COMPONENTS for name in component.KEPT) + _SCRAPYS_KEPT


def _like_scrapys_own(settings: BaseSettings) -> None:
    """Refuse a word in place of a number or a switch of Scrapy's, by the kind of its default."""
    for name, default in vars(default_settings).items():
        if not settings.getpriority(name) or settings[name] is None:
            continue
        if isinstance(default, bool) or name.endswith("_ENABLED"):  # one of these is 1
            switch(settings, name)
        elif isinstance(default, int | float):
            try:
                settings.getfloat(name)
            except (ValueError, TypeError):
                refuse(settings, name, "a number")

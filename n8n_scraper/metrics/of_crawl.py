"""What a crawl under way tells Prometheus: its stats, with labels in the place of long names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from n8n_scraper.metrics import catalogue as of
from n8n_scraper.metrics.domains import first_met
from n8n_scraper.metrics.metric import Metric, Sample
from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.run.counts import Counts

Stats = Mapping[str, Any]

_CATEGORIES = frozenset(map(str, Category))

_WHOLE = (
    (of.CRAWL_ITEMS_LOST, "worker/items_lost"),
    (of.CRAWL_RESPONSE_BYTES, "downloader/response_bytes"),
    (of.CRAWL_REQUEST_BYTES, "downloader/request_bytes"),
)
"""One stat, one metric."""

_BY_LABEL = (
    (of.CRAWL_RESPONSES, "downloader/response_status_count/"),
    (of.CRAWL_EXCEPTIONS, "downloader/exception_type_count/"),
    (of.CRAWL_LOG_LINES, "log_count/"),
)
"""Stats whose names end with what is a label here."""


_OF_TOOLS = {
    "requests": of.CRAWL_TOOL_REQUESTS,
    "failures": of.CRAWL_TOOL_FAILURES,
    "seconds": of.CRAWL_TOOL_SECONDS,
    "cost": of.CRAWL_TOOL_COST,
}
"""Stats that have a tool in their middle, by what comes after it."""


@dataclass(frozen=True, slots=True)
class DomainSeen:
    """A domain as a crawl knows it at one moment."""

    domain: str
    requests: int
    waits: int
    wait_seconds: float
    tokens: float
    rate: float
    left_alone: bool


@dataclass(frozen=True, slots=True)
class CrawlSeen:
    """A crawl at one moment."""

    source: str
    """That of its items; the name of the spider where it has none."""
    spider: str
    version: str
    run_id: str | None
    started: float
    """In seconds since 1970."""
    counts: Counts | None
    """None where no run is kept."""
    domains: tuple[DomainSeen, ...]
    """In the order in which they were met."""


def crawl_samples(seen: CrawlSeen, stats: Stats) -> Iterator[Sample]:
    """Tell all of it."""
    name = seen.source
    yield of.CRAWL_INFO.of(1, name, seen.spider, seen.run_id or "", seen.version)
    yield of.CRAWL_START.of(seen.started, name)
    if seen.counts is not None:
        for outcome, number in seen.counts.outcomes.items():
            yield of.CRAWL_ITEMS.of(number, name, outcome)
        yield of.CRAWL_LEFT.of(seen.counts.left, name)
    for domain in first_met(seen.domains):
        yield from _of_domain(name, domain, stats)
    for metric, stat in _WHOLE:
        yield metric.of(stats.get(stat, 0), name)
    for metric, beginning in _BY_LABEL:
        yield from _by_label(metric, name, _below(stats, beginning))
    for stat, amount in _below(stats, "tools/"):
        tool, _, what = stat.partition("/")
        if what in _OF_TOOLS:
            yield _OF_TOOLS[what].of(amount, name, tool)
    for stat, count in _below(stats, "retry/"):
        became, _, category = stat.partition("/")
        if category in _CATEGORIES:
            yield of.CRAWL_RETRIES.of(count, name, category, became)


def _of_domain(name: str, seen: DomainSeen, stats: Stats) -> Iterator[Sample]:
    yield of.CRAWL_REQUESTS.of(seen.requests, name, seen.domain)
    yield of.CRAWL_WAITS.of(seen.waits, name, seen.domain)
    yield of.CRAWL_WAIT_SECONDS.of(seen.wait_seconds, name, seen.domain)
    asked = stats.get(f"rate_limit/{seen.domain}/retry_after", 0)
    yield of.CRAWL_RETRY_AFTER.of(asked, name, seen.domain)
    opened = stats.get(f"circuit_breaker/{seen.domain}/opened", 0)
    yield of.CRAWL_OPENED.of(opened, name, seen.domain)
    yield of.CRAWL_TOKENS.of(seen.tokens, name, seen.domain)
    yield of.CRAWL_RATE.of(seen.rate, name, seen.domain)
    yield of.CRAWL_LEFT_ALONE.of(seen.left_alone, name, seen.domain)


def _by_label(metric: Metric, name: str, found: Iterable[tuple[str, float]]) -> Iterator[Sample]:
    for label, number in found:
        yield metric.of(number, name, label)


def _below(stats: Stats, beginning: str) -> Iterator[tuple[str, float]]:
    """Give the stats whose names begin so, by what comes after it."""
    for stat, number in stats.items():
        if stat.startswith(beginning):
            yield stat.removeprefix(beginning), number

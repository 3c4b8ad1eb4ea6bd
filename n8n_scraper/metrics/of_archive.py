"""What an archive tells Prometheus: its items, the newest run of each source, its domains.

Every figure is one of `reports/`, where pages and commands have theirs from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.metrics import catalogue as of
from n8n_scraper.metrics.domains import told_one_by_one
from n8n_scraper.metrics.metric import Sample
from n8n_scraper.policies.run.standing import Standing
from n8n_scraper.reports.archive import ArchiveReport, SourceReport
from n8n_scraper.reports.domains import (
    NONE_ELSEWHERE,
    Circuit,
    DomainReport,
    Domains,
    domain_reports,
)
from n8n_scraper.reports.failures import failures_by_category
from n8n_scraper.reports.outside import OutsideReport, outside_report
from n8n_scraper.reports.runs import RunReport, run_reports
from n8n_scraper.reports.workers import Presence


def standing_samples(
    database: Database, sources: Iterable[Source], elsewhere: Domains | None = NONE_ELSEWHERE
) -> list[Sample]:
    """Ask how runs, domains, alerts and messages stand.

    None of `elsewhere` says that of domains nobody knows.
    """
    samples: list[Sample] = []
    if elsewhere is not None:
        samples += of_domains(domain_reports(database, elsewhere=elsewhere))
    samples += of_outside(outside_report(database))
    for source in sources:
        for run in run_reports(database, most=1, source=source.name):
            samples += of_run(run)
            for category, number in failures_by_category(database, run.run_id).items():
                samples.append(of.RUN_FAILURES.of(number, source.name, category))
    return samples


def of_archive(report: ArchiveReport, at: float) -> Iterator[Sample]:
    """Tell what was in the database at a moment."""
    yield of.ARCHIVE_COUNTED.of(at)
    yield of.ARCHIVE_BYTES.of(report.bytes)
    yield of.RUNS.of(report.runs)
    for source in report.sources:
        yield from _of_source(source)


def of_run(run: RunReport) -> Iterator[Sample]:
    """Tell how the newest run of a source stands."""
    name = run.source
    if run.standing is Standing.LIVE:
        yield of.LIVE_RUN_INFO.of(1, name, run.run_id)
    for standing in Standing:
        yield of.RUN_STANDING.of(run.standing is standing, name, standing)
    yield of.RUN_START.of(_seconds(run.started_at), name)
    if run.ended_at is not None:
        yield of.RUN_END.of(_seconds(run.ended_at), name)
    if run.exit_status is not None:
        yield of.RUN_EXIT_STATUS.of(run.exit_status, name)
    yield of.RUN_SECONDS.of(run.elapsed_seconds, name)
    for outcome, number in run.counts.outcomes.items():
        yield of.RUN_ITEMS.of(number, name, outcome)
    yield of.RUN_LEFT.of(run.counts.left, name)
    yield of.RUN_UNSETTLED.of(run.counts.unsettled, name)
    if run.templates_per_second is not None:
        yield of.RUN_RATE.of(run.templates_per_second, name)
    if run.seconds_left is not None:
        yield of.RUN_TIME_LEFT.of(run.seconds_left, name)
    for presence in Presence:
        there = sum(worker.presence is presence for worker in run.workers)
        yield of.RUN_WORKERS.of(there, name, presence)


def of_domains(reports: list[DomainReport]) -> Iterator[Sample]:
    """Tell how the domains stand."""
    yield of.DOMAINS.of(len(reports))
    for one in told_one_by_one(reports):
        for circuit in Circuit:
            yield of.DOMAIN_CIRCUIT.of(one.circuit is circuit, one.domain, circuit)
        yield of.DOMAIN_FAILURES.of(one.failures, one.domain)
        if one.circuit is not Circuit.CLOSED and one.opened_at is not None:
            yield of.DOMAIN_OPENED.of(_seconds(one.opened_at), one.domain)
        yield of.DOMAIN_OPEN_FOR.of(one.open_for_seconds, one.domain)
        yield of.DOMAIN_HELD_FOR.of(one.held_for_seconds, one.domain)
        if one.learned_rate is not None:
            yield of.DOMAIN_RATE.of(one.learned_rate, one.domain)


def of_outside(report: OutsideReport) -> Iterator[Sample]:
    """Tell what is wrong, and what those outside are still to be told."""
    for rule, number in report.firing.items():
        yield of.ALERTS_FIRING.of(number, rule)
    for one in report.channels:
        yield of.OUTBOX_WAITING.of(one.waiting, one.channel)
        if one.written_at is not None:
            yield of.OUTBOX_OLDEST.of(_seconds(one.written_at), one.channel)
        yield of.OUTBOX_GIVEN_UP.of(one.given_up, one.channel)


def _of_source(report: SourceReport) -> Iterator[Sample]:
    name = report.source
    for outcome, number in report.outcomes.items():
        yield of.ITEMS.of(number, name, outcome)
    yield of.ITEMS_REMOVED.of(report.removed, name)
    for one in report.coverage:
        yield of.ITEMS_WITH_FIELD.of(one.present, name, one.field)
    for metric, moment in ((of.OLDEST_ITEM, report.oldest), (of.NEWEST_ITEM, report.newest)):
        if moment is not None:
            yield metric.of(_seconds(moment), name)
    yield of.RAW_ANSWERS.of(report.raw_answers, name)
    yield of.RAW_ANSWER_BYTES.of(report.raw_bytes, name)
    yield of.VERSIONS.of(report.versions, name)
    yield of.EVENTS.of(report.events, name)


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()

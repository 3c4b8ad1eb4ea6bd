"""Say what is wrong, by figures of one moment: each rule is a function of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from statistics import pstdev

from n8n_scraper.policies.alerts.figures import (
    CircuitFigures,
    CoverageFigures,
    RunFigures,
    Watched,
)
from n8n_scraper.policies.run.progress import duration

LEAST_ITEMS = 20
"""Of so many at least a rate of errors is taken."""
LEAST_RUNS = 5
"""By so many earlier ones at least a run is called slow."""
LEAST_SLOWER_SECONDS = 60.0
"""By less than that none is: of runs that take a second each is slower than the others."""


class Rule(StrEnum):
    """What may be wrong."""

    RUN_FAILED = "run_failed"
    RUN_STALE = "run_stale"
    NOTHING = "nothing"
    COVERAGE = "coverage"
    CIRCUIT_OPEN = "circuit_open"
    ERROR_RATE = "error_rate"
    SLOW = "slow"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From where on something is wrong."""

    stale_seconds: float = 600.0
    circuit_seconds: float = 600.0
    error_rate: float = 0.1
    coverage: Mapping[str, Mapping[str, float]] | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong."""

    rule: Rule
    subject: str
    words: str
    for_seconds: float = 0.0
    """For how long it has to be so before anybody is told."""
    not_before: float = 0.0
    """Since when it can be so at the earliest, in seconds since 1970."""

    @property
    def key(self) -> str:
        """What tells it apart from every other."""
        return f"{self.rule}:{self.subject}"


def findings(watched: Watched, thresholds: Thresholds) -> list[Finding]:
    """Name all that is wrong, each once."""
    found = [*_of_runs(watched, thresholds), *_of_circuits(watched, thresholds)]
    for one in watched.coverage or ():
        found += filter(None, [low_coverage(one, thresholds)])
    return list({one.key: one for one in reversed(found)}.values())[::-1]


def looked_at(watched: Watched) -> frozenset[Rule]:
    """Say which rules these figures are enough for: of others nothing is known."""
    unknown = {Rule.COVERAGE} if watched.coverage is None else set()
    unknown |= {Rule.CIRCUIT_OPEN} if watched.circuits is None else set()
    return frozenset(set(Rule) - unknown)


def run_failed(run: RunFigures) -> Finding | None:
    """The newest run of a source broke off."""
    if not run.has_failed:
        return None
    words = (
        f"run {run.run_id} of {run.source} failed: {run.meaning} (exit status {run.exit_status})"
    )
    return Finding(Rule.RUN_FAILED, run.source, words)


def run_stale(run: RunFigures, thresholds: Thresholds) -> Finding | None:
    """Nobody works on a run, and nobody has ended it."""
    if not run.is_stale or run.silent_seconds < thresholds.stale_seconds:
        return None
    silent = duration(run.silent_seconds)
    words = f"run {run.run_id} of {run.source} is stale: no process has given a sign for {silent}"
    return Finding(Rule.RUN_STALE, run.run_id, words)


def nothing(run: RunFigures) -> Finding | None:
    """A run ended in order, and has brought nothing."""
    if not run.has_ended or not run.is_over or run.has_failed or run.had:
        return None
    listed = (
        f"none of {run.items} {run.noun} was had" if run.items else f"no {run.noun} were listed"
    )
    return Finding(Rule.NOTHING, run.source, f"run {run.run_id} of {run.source}: {listed}")


def error_rate(run: RunFigures, thresholds: Thresholds) -> Finding | None:
    """Too many items could not be had."""
    if run.is_stale or run.ended_lately < LEAST_ITEMS:
        return None
    rate = run.unsettled_lately / run.ended_lately
    if rate <= thresholds.error_rate:
        return None
    words = (
        f"run {run.run_id} of {run.source}: {run.unsettled_lately} of {run.ended_lately} "
        f"{run.noun} could not be had ({_percent(rate)}, the bar is "
        f"{_percent(thresholds.error_rate)})"
    )
    return Finding(Rule.ERROR_RATE, run.source, words)


def slow(run: RunFigures) -> Finding | None:
    """A run takes longer than those before it let expect."""
    limit = slowest_usual(run.earlier_seconds)
    if run.is_stale or limit is None or run.seconds <= limit:
        return None
    words = (
        f"run {run.run_id} of {run.source} is slow: {duration(run.seconds)}, where "
        f"{len(run.earlier_seconds)} earlier ones let expect {duration(limit)} at most"
    )
    return Finding(Rule.SLOW, run.source, words)


def slowest_usual(earlier_seconds: tuple[float, ...]) -> float | None:
    """Give the longest that a run should take: p95 + 2σ of its history; None where that is short.

    By less than a minute no run is slow.
    """
    if len(earlier_seconds) < LEAST_RUNS:
        return None
    ordered = sorted(earlier_seconds)
    place = 0.95 * (len(ordered) - 1)
    below, above = ordered[int(place)], ordered[min(int(place) + 1, len(ordered) - 1)]
    p95 = below + (above - below) * (place - int(place))
    return p95 + max(2 * pstdev(ordered), LEAST_SLOWER_SECONDS)


def circuit_open(circuit: CircuitFigures, thresholds: Thresholds) -> Finding:
    """A domain is left alone."""
    words = f"{circuit.domain} is left alone: {circuit.reason or 'it does not answer'}"
    return Finding(
        Rule.CIRCUIT_OPEN,
        circuit.domain,
        words,
        for_seconds=thresholds.circuit_seconds,
        not_before=circuit.closed_at,
    )


def low_coverage(coverage: CoverageFigures, thresholds: Thresholds) -> Finding | None:
    """A field is known of too few items of a source."""
    bar = (thresholds.coverage or {}).get(coverage.source, {}).get(coverage.field)
    if bar is None or (coverage.share is not None and coverage.share >= bar):
        return None
    share = "not known of any item"
    if coverage.share is not None:
        share = f"known of {_percent(coverage.share)} of the items"
    words = f"{coverage.source}: {coverage.field} is {share}, the bar is {_percent(bar)}"
    return Finding(Rule.COVERAGE, f"{coverage.source}.{coverage.field}", words)


def _of_runs(watched: Watched, thresholds: Thresholds) -> Iterator[Finding]:
    for run in watched.runs:
        yield from filter(
            None,
            (
                run_failed(run),
                run_stale(run, thresholds),
                nothing(run),
                error_rate(run, thresholds),
                slow(run),
            ),
        )


def _of_circuits(watched: Watched, thresholds: Thresholds) -> Iterator[Finding]:
    for circuit in watched.circuits or ():
        yield circuit_open(circuit, thresholds)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"

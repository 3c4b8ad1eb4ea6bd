"""Put into words how the sites of the sources file stand, and what came of them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import Any

from n8n_scraper.policies.run.progress import duration
from n8n_scraper.policies.run.site_turns import Verdict
from n8n_scraper.reports.domains import Circuit
from n8n_scraper.reports.site_runs import SiteRun, seconds_of
from n8n_scraper.reports.sites import SiteReport, moment
from n8n_scraper.rounds.site_crawl import Came, Outcome
from n8n_scraper.sources_file.durations import in_words
from n8n_scraper.sources_file.entry import KEYS, Entry

_BETWEEN = " · "


def list_lines(sites: Sequence[SiteReport]) -> Iterator[str]:
    """Say in a line each how sites stand."""
    width = max((len(one.entry.name) for one in sites), default=0)
    for one in sites:
        every = one.entry.schedule
        parts = [
            f"{one.entry.name:<{width}}  {one.entry.priority}",
            "on demand" if every is None else f"every {in_words(every)}",
            _last(one),
            _next(one),
            _circuit(one),
        ]
        yield _BETWEEN.join(filter(None, parts))


def entry_lines(site: SiteReport) -> Iterator[str]:
    """Tell of one site what its entry says, and how it stands."""
    yield f"{site.entry.name}: {site.entry.title}"
    for key in KEYS:
        if key != "title":
            yield f"  {key} = {_written(site.entry, key)}"
    yield from filter(None, (_last(site), _next(site), _circuit(site)))
    if site.last is not None and (brought := _brought(site.last)):
        yield f"run {site.last.run_id}: {brought}"


def summary_lines(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Say in a line each what came of the sites of a round."""
    width = max((len(one.site) for one in outcomes), default=0)
    for one in outcomes:
        yield f"{one.site:<{width}}  {one.came:<8}  {_told(one)}".rstrip()


def began_line(name: str, run_id: str) -> str:
    """Say that a crawl has begun."""
    return f"{name}: run {run_id} begins"


def _told(outcome: Outcome) -> str:
    took = duration(outcome.seconds) if outcome.seconds else ""
    parts = [_brought(outcome.run) if outcome.run else "", took, outcome.why]
    if outcome.came in (Came.LEFT_OUT, Came.RESTS, Came.REFUSED):
        parts = [outcome.why]
    return _BETWEEN.join(filter(None, parts))


def _brought(run: SiteRun) -> str:
    parts = [f"{run.found} found, {run.new} new, {run.changed} changed"]
    if run.coverage is not None:
        parts.append(f"{100 * run.coverage:.0f} % of what is required")
    if run.tool is not None:
        parts.append(run.tool)
    return _BETWEEN.join(parts)


def _last(site: SiteReport) -> str:
    if site.under_way:
        return f"run {site.under_way} is under way"
    if site.last is None:
        return "never crawled"
    ago = time.time() - seconds_of(site.last.began)
    how = "stopped" if site.last.verdict is Verdict.NOTHING else str(site.last.verdict)
    return f"last {duration(ago)} ago: {how}, {site.last.found} found"


def _next(site: SiteReport) -> str:
    if site.standing.due_at is None:
        return ""
    wait = max(site.standing.due_at, site.standing.rests_until) - time.time()
    return f"due in {duration(wait)}" if wait > 0 else "due now"


def _circuit(site: SiteReport) -> str:
    """Say what keeps it from being asked."""
    said = []
    if site.standing.failures > 1:
        said.append(f"failed {site.standing.failures} times in a row")
    if site.standing.rests_until > time.time():
        said.append(f"rests until {moment(site.standing.rests_until)}")
    if site.domain is not None and site.domain.circuit is not Circuit.CLOSED:
        words = {Circuit.OPEN: "open", Circuit.PROBE_DUE: "open, to be tried"}
        said.append(f"the circuit of {site.domain.domain} is {words[site.domain.circuit]}")
    return ", ".join(said)


def _written(entry: Entry, key: str) -> str:
    value: Any = getattr(entry, key)
    if key == "schedule":
        return "none" if value is None else in_words(value)
    return "none" if value is None else json.dumps(value, ensure_ascii=False)

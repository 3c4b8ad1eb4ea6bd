"""Look at the directories of runs that have not finished: who works there, and how to go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from n8n_scraper.core.project_folder import in_project
from n8n_scraper.doctor.finding import Finding, bad, ok, warn
from n8n_scraper.ledger.jobdir import JobDirectory, holder_of
from n8n_scraper.policies.run.progress import share
from n8n_scraper.policies.run.standing import Standing
from n8n_scraper.reports.runs import RunReport

_NAME = "jobdir"


def look(runs: Iterable[RunReport], jobdir: str) -> Iterator[Finding]:
    """Tell each directory once, with the newest run that is tied to it; `jobdir` is the one set."""
    told: set[str] = set()
    for run in runs:
        place = in_project(run.jobdir) if run.jobdir else ""
        if run.status == "finished" or place in told:
            told.add(place)
        elif place:
            told.add(place)
            yield _of_run(run, Path(place))
        elif run.standing is Standing.STALE:
            yield warn("run", _abandoned(run), run.going_on.with_what_is_left())
    if jobdir and in_project(jobdir) not in told:
        yield _unknown(Path(in_project(jobdir)))


def _of_run(run: RunReport, place: Path) -> Finding:
    if run.standing is Standing.LIVE:
        return ok(_NAME, f"{place}: run {run.run_id} is worked on, {share(run.counts, run.noun)}")
    holder = holder_of(place)
    if holder is not None:
        words = f"{place}: process {holder} holds its lock, and does not work on run {run.run_id}"
        return warn(_NAME, words, f"look at process {holder}")
    if not place.is_dir():
        words = f"{place} is not here, where run {run.run_id} has left {run.counts.left}"
        return warn(_NAME, words, run.going_on.with_what_is_left())
    if run.standing is Standing.STALE:
        return warn(_NAME, f"{place}: {_abandoned(run)}", run.going_on.with_what_is_left())
    words = f"{place}: run {run.run_id} was stopped, {share(run.counts, run.noun)}"
    return warn(_NAME, words, run.going_on.with_what_is_left())


def _abandoned(run: RunReport) -> str:
    return f"run {run.run_id} is abandoned, {share(run.counts, run.noun)}"


def _unknown(place: Path) -> Finding:
    """Tell of the directory that is set, to which no run of the archive is tied."""
    if not place.is_dir():
        return ok(_NAME, f"{place} is to be made by the crawl")
    if (holder := holder_of(place)) is not None:
        return bad(_NAME, f"{place} is in use by process {holder}", "wait for it, or name another")
    run_id = JobDirectory(str(place)).run_id()
    if run_id is None:
        return ok(_NAME, f"{place} belongs to no run yet")
    words = f"{place} belongs to run {run_id}, which has finished or is in another database"
    return warn(_NAME, words, "a new run begins there; name another one to keep them apart")

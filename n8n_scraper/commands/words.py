"""Put reports into words for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.policies.run.ending import after_a_finish, meaning_of
from n8n_scraper.policies.run.progress import duration, outcomes, share, time_left
from n8n_scraper.policies.run.standing import Standing
from n8n_scraper.reports.domains import Circuit, DomainReport
from n8n_scraper.reports.items import ItemReport
from n8n_scraper.reports.runs import Overview, RunReport
from n8n_scraper.reports.tools import ToolReport
from n8n_scraper.reports.workers import Presence, WorkerReport

_BETWEEN = " · "


def overview_lines(seen: Overview) -> list[str]:
    """Say how a run stands, and which others are under way."""
    others = (f"also: {run_heading(other)}" for other in seen.others)
    return [*run_lines(seen.run), *tool_lines(seen.tools), *others]


def tool_lines(tools: Iterable[ToolReport]) -> Iterator[str]:
    """Tell a person what each tool has brought lately, where several were tried."""
    for number, one in enumerate(tools):
        if not number:
            yield "with which tool, and what it has brought lately"
        share = "no answer" if one.coverage is None else f"{100 * one.coverage:.0f} % of the fields"
        tool = one.tool if one.place is None else f"{one.place}, {one.tool}"
        parts = [f"{tool}: {share}", f"{one.seconds:.1f} s a page"]
        if one.cost_an_item is not None:
            parts.append(f"{one.cost_an_item:g} credits an item" if one.cost else "free")
        parts.append(f"{one.answered} of the last {one.attempts} answered")
        yield f"  {' · '.join(parts)}"


def run_lines(run: RunReport) -> list[str]:
    """Everything that a person wants to know of a run, the most telling first."""
    facts = [run_heading(run), _progress(run), _speed(run), *_workers(run)]
    facts.append(_pace(run) if run.standing is Standing.LIVE else _next(run))
    return [fact for fact in facts if fact]


def run_heading(run: RunReport) -> str:
    """Name a run, and say whether a process works on it."""
    return f"run {run.run_id} · {_state(run)} · {run.site}"


def run_row(run: RunReport) -> str:
    """Say in one line what a run was and how it stands."""
    asked = " ".join(f"{name}={value}" for name, value in run.arguments.items())
    state = run.status if run.ended_at else str(run.standing)
    parts = [
        f"{run.run_id}  {state:<8}  {share(run.counts, run.noun)}",
        outcomes(run.counts),
        duration(run.elapsed_seconds),
        asked,
    ]
    return _BETWEEN.join(filter(None, parts))


def item_line(item: ItemReport) -> str:
    """Say in one line how an item stands, and why."""
    status = f"({item.http_status})" if item.http_status else None
    why = " ".join(filter(None, [item.category, status, item.reason]))
    outcome = item.outcome or ""
    state = item.state if item.state == outcome else f"{item.state} {outcome}".strip()
    return f"{item.item_id:>7}  {state}{': ' if why else ''}{' '.join(why.split())}"


def domain_line(domain: DomainReport) -> str:
    """Say in one line how a domain's circuit stands."""
    if domain.circuit is Circuit.CLOSED:
        return f"{domain.domain}: closed, {domain.failures} failures in a row"
    state = "open, a probe is due"
    if domain.circuit is Circuit.OPEN:
        state = f"open for {duration(domain.open_for_seconds)} more"
    return (
        f"{domain.domain}: {state}; since {domain.opened_at}, after {domain.failures} failures in "
        f"a row, the last one {domain.reason} ({domain.tripped_by})"
    )


def worker_line(worker: WorkerReport) -> str:
    """Say in one line whether a worker is there, and what it has done."""
    parts = [
        f"worker {worker.host} {worker.pid or ''}".rstrip(),
        f"{worker.presence}, here since {_short(worker.since)}",
        f"{worker.end_reason or ''} {_short(worker.ended_at)}".strip(),
        f"{worker.held} held" if worker.presence is not Presence.ENDED else "",
        f"{worker.done} ended",
        f"{worker.items_lost} lost to others" if worker.items_lost else "",
    ]
    return _BETWEEN.join(filter(None, parts))


def _workers(run: RunReport) -> list[str]:
    """Name the workers one by one where the heading does not say it all."""
    there = [one for one in run.workers if one.presence is not Presence.ENDED]
    if run.standing is Standing.ENDED or len(there) < 2:
        return []
    left = len(run.workers) - len(there)
    gone = [f"and {left} that left"] if left else []
    return [f"  {line}" for line in (*map(worker_line, there), *gone)]


def _state(run: RunReport) -> str:
    if run.standing is Standing.STALE and run.owner is None and not run.workers:
        return "no process works on it"
    process = " ".join((run.owner or "unknown").split(":")[:2])
    if run.standing is Standing.LIVE:
        alive = sum(one.presence is Presence.ALIVE for one in run.workers)
        return f"live, {alive} processes" if alive > 1 else f"live, process {process}"
    if run.standing is Standing.STALE:
        return f"stale: its process {process} is gone or stopped"
    status = "" if run.exit_status is None else f", exit status {run.exit_status}"
    meaning = meaning_of(run.exit_status, run.noun)
    return f"ended ({run.status}{status}{f': {meaning}' if meaning else ''})"


def _progress(run: RunReport) -> str:
    words = f"{share(run.counts, run.noun)}: {outcomes(run.counts) or 'none ended yet'}"
    percent = run.counts.success_percent
    words += "" if percent is None else f" · {percent:.1f} % successful"
    return words + (" · still reading the inventory" if run.still_planning else "")


def _speed(run: RunReport) -> str:
    parts = [f"{duration(run.elapsed_seconds)} so far"]
    if run.standing is not Standing.LIVE:
        span = f"{_short(run.started_at)} to {_short(run.ended_at) or '?'}"
        parts = [f"{span}, {duration(run.elapsed_seconds)}"]
    if run.templates_per_second:
        parts.insert(0, f"{60 * run.templates_per_second:.1f} {run.noun.many} a minute")
    parts.append(time_left(run.seconds_left))
    return _BETWEEN.join(filter(None, parts))


def _pace(run: RunReport) -> str:
    parts = [run.bucket.words()] if run.bucket else []
    return _BETWEEN.join(parts + [one.words() for one in run.left_alone])


def _next(run: RunReport) -> str:
    if run.exit_status == ExitStatus.BAD_INPUT:
        return ""
    if run.status == "finished":
        return after_a_finish(run.exit_status, run.going_on)
    return run.going_on.with_what_is_left()


def _short(moment: str | None) -> str:
    """A moment without its milliseconds."""
    return f"{moment[:19]}Z" if moment else ""

"""Put into words what is known of one item.

What strangers wrote is in these lines as it is: whoever shows them makes them harmless.
"""

from __future__ import annotations

from collections.abc import Iterator

from n8n_scraper.core.source import Source
from n8n_scraper.core.wording import value
from n8n_scraper.policies.run.progress import duration, so_many
from n8n_scraper.reports.domains import Allowed, Circuit
from n8n_scraper.reports.explained import AnswerSeen, Explanation, FieldSeen, Tried

_WAITS_FOR = {
    "circuit": "its circuit is open",
    "server": "its server asked to be left alone",
    "token": "its next token is not due yet",
}


def explanation_lines(found: Explanation, source: Source) -> Iterator[str]:
    """Tell a person, what is most telling first."""
    yield from _heading(found)
    yield from _section("Answers", map(_answer, found.answers))
    yield from _section(f"Runs ({found.runs})", map(_tried, found.tried))
    yield from _section("Fields", map(_field, found.fields))
    yield from _section("What would be asked next", _steps(found, source))
    yield from _section("When the pace allows it", map(_allowed, found.pace))


def _heading(found: Explanation) -> Iterator[str]:
    name = f"{found.noun.capitalize()} {found.item_id} of {found.source}"
    if found.taken_down:
        yield f"{name}: taken down {_short(found.taken_down.at)}: {found.taken_down.why}"
        return
    if not found.is_stored:
        planned = ", though runs have planned it" if found.runs else ", and no run has heard of it"
        yield f"{name}: the archive has none{planned}"
        return
    yield f"{name}: {found.title or 'without a title'}"
    if found.url:
        yield f"  {found.url}"
    yield f"  {found.outcome}, read {_short(found.scraped_at)} in run {found.run_id}"
    if found.removed_at:
        yield f"  the source has not had it since {_short(found.removed_at)}"
    for part, state in found.parts.items():
        why = " ".join(filter(None, (state.category, state.reason)))
        yield f"  {part}: {state.status}{f', {why}' if why else ''}"
    times = "one version" if found.versions == 1 else f"{found.versions} versions"
    kind, _, at = (found.last_event or "").partition(" ")
    yield f"  {times}{f', {kind} {_short(at)}' if at else ''}"


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    told = list(lines)
    if told:
        yield f"{title}:"
        yield from (f"  {line}" for line in told)


def _answer(answer: AnswerSeen) -> str:
    size = "" if answer.bytes is None else f", {answer.bytes} bytes"
    under_way = f", for run {answer.run_id} under way" if answer.run_id else ""
    status = answer.http_status or "no status"
    return f"{answer.part}: {status}, {_short(answer.fetched_at)}{size}{under_way}, {answer.url}"


def _tried(tried: Tried) -> str:
    outcome = f" {tried.outcome}" if tried.outcome and tried.outcome != tried.state else ""
    status = f"({tried.http_status})" if tried.http_status else ""
    why = " ".join(filter(None, (tried.category, status, tried.reason)))
    took = "" if tried.duration is None else f", {tried.duration:.1f} s"
    requests = "" if tried.requests is None else f", {so_many(tried.requests, 'request')}"
    times = "once" if tried.attempts == 1 else f"{tried.attempts} times"
    when = _short(tried.closed_at or tried.claimed_at)
    return (
        f"{tried.run_id}: {tried.state}{outcome}{f': {why}' if why else ''} "
        f"(claimed {times}{requests}{took}{f', {when}' if when else ''})"
    )


def _field(seen: FieldSeen) -> str:
    if seen.source is None:
        return f"{seen.field}: unknown, {seen.why_not}"
    origin = f"from {seen.source}"
    if seen.follows_from:
        origin += f", follows from {', '.join(seen.follows_from)}"
    elif seen.also_in:
        origin += f", also in {', '.join(seen.also_in)}"
    return f"{seen.field}: {value(seen.value)} ({origin})"


def _steps(found: Explanation, source: Source) -> Iterator[str]:
    if found.taken_down:
        yield f"nothing, before `scrapy takedown --undo {found.item_id}`"
        return
    if not found.steps:
        yield f"nothing that {source.name} could tell beforehand"
    for way, steps in found.steps.items():
        yield f"{way}:"
        for step in steps:
            yield f"  {step.part}: {step.url or f'not asked, {step.why_not}'}"


def _allowed(one: Allowed) -> str:
    learned = ", learned" if one.learned else ""
    pace = f"{one.rate:g} requests a second{learned}, {one.tokens:.1f} tokens free"
    when = "now" if one.circuit is Circuit.CLOSED else "now, as a probe of its open circuit"
    if one.waits_for:
        when = f"in {duration(one.wait_seconds)}, {_WAITS_FOR[one.waits_for]}"
    return f"{one.domain}: {when} ({pace if one.rate else 'no limit'})"


def _short(moment: str | None) -> str:
    """A moment without its milliseconds."""
    return f"{moment[:19]}Z" if moment else ""

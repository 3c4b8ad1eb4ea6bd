"""The plots of the operator's pages and of the report: the same figures, drawn the same way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.reports.domain_history import DomainHistory
from n8n_scraper.reports.quality import ScoreReport
from n8n_scraper.reports.throughput import Span
from n8n_scraper.serve.plots import Line, Plot, Point, Stack, columns, lines, stack

_MINUTE = 60.0


def throughput_plot(spans: Sequence[Span]) -> Plot:
    """Draw how many items ended when, by their outcomes."""
    names = tuple(str(one) for one in Outcome)
    begun, ended = _at(spans[0].begins), _at(spans[-1].begins) + _MINUTE
    drawn = [(_at(one.begins), [one.outcomes.get(name, 0) for name in names]) for one in spans]
    total = sum(one.done for one in spans)
    label = f"{total} items over time, by outcome"
    return stack(Stack(names, drawn), begun, ended, label, span=_MINUTE)


def progress_plot(spans: Sequence[Span], total: int) -> Plot:
    """Draw how many items had ended by when, against all that there are."""
    begun, ended = _at(spans[0].begins), _at(spans[-1].begins) + _MINUTE
    points, done = [(begun, 0.0)], 0
    for one in spans:
        done += one.done
        points.append((_at(one.begins) + _MINUTE, float(done)))
    everything = [(begun, float(total)), (ended, float(total))]
    drawn = [Line("allowed", everything), Line("used", points)]
    return lines(drawn, begun, ended, f"{done} of {total} items ended, over time")


def pace_plot(history: DomainHistory) -> Plot:
    """Draw the requests that were sent against those that might be, and the complaints."""
    drawn = []
    for together in _stretches([_at(one.begins) for one in history.minutes]):
        minutes = history.minutes[together]
        allowed = [(_at(one.begins), one.allowed_rate) for one in minutes]
        drawn += [
            Line("allowed", _level(allowed)),
            Line("used", _steps([(_at(one.begins), one.requests) for one in minutes])),
        ]
        complaints = [(_at(one.begins), one.complaints) for one in minutes]
        if any(number for _, number in complaints):
            drawn.append(Line("complaints", _steps(complaints)))
    begun, ended = _at(f"{history.since}:00Z"), _at(f"{history.until}:00Z") + _MINUTE
    return lines(drawn, begun, ended, f"Requests a minute to {history.domain}")


def _stretches(minutes: Sequence[float]) -> Iterator[slice]:
    """Give the parts of a series in which no minute is missing."""
    begun = 0
    for place in range(1, len(minutes) + 1):
        if place == len(minutes) or minutes[place] - minutes[place - 1] > _MINUTE:
            yield slice(begun, place)
            begun = place


def _level(rates: Sequence[tuple[float, float | None]]) -> list[Point]:
    """Draw what is allowed in a minute for as long as that holds."""
    return [
        (at, rate * _MINUTE)
        for begun, rate in rates
        if rate is not None
        for at in (begun, begun + _MINUTE)
    ]


def _steps(minutes: Sequence[tuple[float, int]]) -> list[Point]:
    """Let each minute last for a minute, with nothing before and behind."""
    first, last = minutes[0][0], minutes[-1][0] + _MINUTE
    steps = [(at, float(number)) for begun, number in minutes for at in (begun, begun + _MINUTE)]
    return [(first, 0.0), *steps, (last, 0.0)]


def score_plot(report: ScoreReport) -> Plot:
    """Draw how many items have which score."""
    return columns([one.items for one in report.spans], f"{report.scored} items by score")


def _at(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()

"""How figures are written on pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.policies.run.progress import duration
from n8n_scraper.reports.archive import Coverage
from n8n_scraper.search.snippets import MARK, UNMARK, as_html
from n8n_scraper.serve.plots import shares

_NARROW_SPACE = "\u202f"
_LONGEST = 300
_KIB = 1024


def number(value: float | None) -> str:
    """Write a whole number in groups of three digits."""
    return "–" if value is None else f"{value:,.0f}".replace(",", _NARROW_SPACE)


def figure(value: float) -> str:
    """Write the number at an axis: with its fraction where it has one."""
    return number(value) if value == int(value) else f"{value:g}"


def rate(value: float | None) -> str:
    """Write how many a second."""
    return "–" if value is None else f"{value:.2f}"


def size(value: int) -> str:
    """Write so many bytes."""
    scaled, unit = float(value), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if scaled < _KIB:
            break
        scaled, unit = scaled / _KIB, larger
    return f"{scaled:.0f} {unit}" if unit == "B" else f"{scaled:.1f} {unit}"


def moment(value: str | None) -> str:
    """Write a moment to the second, in UTC as everywhere."""
    return "–" if not value else value[:19].replace("T", " ")


def day(value: str | None) -> str:
    """Write the day of a moment."""
    return "–" if not value else value[:10]


def time_of_day(value: str | None) -> str:
    """Write the time of a moment, to the second."""
    return "" if not value else value[11:19]


def clock(seconds: float) -> str:
    """Write a moment that is seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def cut(value: object, most: int = _LONGEST) -> str:
    """Write as much of a text as a line of a table bears."""
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}…"


def without(asked: Mapping[str, str], name: str) -> str:
    """Write a query again, with one of its words left out."""
    return urlencode({key: value for key, value in asked.items() if key != name and value})


def outcome_bar(counts: Counts) -> Markup:
    """Draw how many items of a run ended how, and how many are left."""
    total = counts.total
    parts = [*counts.outcomes.items(), ("left", counts.left)]
    said = ", ".join(f"{value} {name}" for name, value in parts if value) or "none"
    return shares(parts, total, f"of {total}: {said}")


def coverage_bar(coverage: Coverage) -> Markup:
    """Draw of how many items a field is known."""
    known = [("plain", coverage.present)]
    return shares(known, coverage.total, f"{coverage.field}: {coverage.present} known")


def marks(text: str) -> Markup:
    """Show a text in which a search has marked what it found, cut where it is too long."""
    shown = cut(text, _LONGEST)
    closing = UNMARK if shown.count(MARK) > shown.count(UNMARK) else ""
    return Markup(as_html(shown + closing))  # noqa: S704 - escaped before the marks are put in


FILTERS: Mapping[str, Callable[..., Any]] = {
    "clock": clock,
    "coverage_bar": coverage_bar,
    "cut": cut,
    "day": day,
    "duration": duration,
    "figure": figure,
    "marks": marks,
    "moment": moment,
    "number": number,
    "outcome_bar": outcome_bar,
    "rate": rate,
    "size": size,
    "time_of_day": time_of_day,
    "without": without,
}

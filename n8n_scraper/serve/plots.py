"""Draw figures as SVG, small enough for a mail: for the pages and for the report alike.

Nothing in a drawing has a colour of its own: the style sheet gives one to each name. All text is
outside of the drawing, so that it stays readable at any width.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

WIDTH, HEIGHT = 600, 140
MOST_POINTS = 300
MOST_COLUMNS = 120
LEAST_COLUMNS = 24
"""A column is no wider than where there are so many."""
_FILLED = 0.86
"""How much of its place a column fills."""

_STEPS = (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
_LEAST = 1e-9
"""What is below is drawn as nothing: near the smallest of numbers there are no steps to find."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """Something that was measured again and again."""

    name: str
    points: Sequence[Point]
    """Each a place on the axis of time, and a value; in the order of time."""


@dataclass(frozen=True, slots=True)
class Stack:
    """What was counted in spans of time, one kind on top of the other."""

    names: tuple[str, ...]
    spans: Sequence[tuple[float, Sequence[float]]]
    """Each a place on the axis of time, and a number for each name; in the order of time."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing, and what is written around it."""

    svg: Markup
    highest: float
    first: float
    last: float
    step_seconds: float = 0.0
    """How long a column of it is, where it has columns of time."""


def decimated(points: Sequence[Point], most: int = MOST_POINTS) -> list[Point]:
    """Leave out what the eye would not see: of each group its lowest and its highest stay."""
    if len(points) <= most:
        return list(points)
    size = -(-len(points) * 2 // most)
    kept: list[Point] = []
    for start in range(0, len(points), size):
        group = points[start : start + size]
        kept += sorted({min(group, key=_value), max(group, key=_value)})
    return kept


def lines(drawn: Sequence[Line], first: float, last: float, label: str) -> Plot:
    """Draw lines over time, from zero up."""
    thinned = [Line(one.name, decimated(one.points)) for one in drawn]
    highest = _nice(max((value for one in thinned for _, value in one.points), default=0))
    span = (last - first) or 1
    paths = Markup("").join(
        Markup('<path class="line {}" d="{}"/>').format(
            one.name,
            _path(((at - first) / span * WIDTH, _y(value, highest)) for at, value in one.points),
        )
        for one in thinned
        if one.points
    )
    return Plot(_svg(paths, label), highest, first, last)


def stack(drawn: Stack, first: float, last: float, label: str, *, span: float) -> Plot:
    """Draw columns over time, their kinds on top of one another, none narrower than a span."""
    most = max(1, min(MOST_COLUMNS, math.ceil((last - first) / span)))
    width = ((last - first) or span) / most
    columns: dict[int, list[float]] = {}
    for at, numbers in drawn.spans:
        column = columns.setdefault(min(most - 1, int((at - first) / width)), [0.0] * len(numbers))
        for place, number in enumerate(numbers):
            column[place] += number
    highest = _nice(max((sum(one) for one in columns.values()), default=0))
    step = WIDTH / most
    thick = min(step * _FILLED, WIDTH / LEAST_COLUMNS)
    parts = []
    for place, name in enumerate(drawn.names):
        path = "".join(
            f"M{number * step:.1f} {_y(sum(column[: place + 1]), highest):.1f}h{thick:.1f}"
            f"V{_y(sum(column[:place]), highest):.1f}h{-thick:.1f}z"
            for number, column in sorted(columns.items())
            if column[place] > 0
        )
        if path:
            parts.append(Markup('<path class="fill {}" d="{}"/>').format(name, path))
    return Plot(_svg(Markup("").join(parts), label), highest, first, last, width)


def columns(numbers: Sequence[float], label: str) -> Plot:
    """Draw columns side by side, as of a distribution."""
    highest = _nice(max(numbers, default=0))
    step = WIDTH / max(1, len(numbers))
    path = "".join(
        f"M{place * step:.1f} {_y(number, highest):.1f}h{step * _FILLED:.1f}V{HEIGHT}"
        f"h{-step * _FILLED:.1f}z"
        for place, number in enumerate(numbers)
        if number
    )
    drawn = Markup('<path class="fill plain" d="{}"/>').format(path) if path else Markup("")
    return Plot(_svg(drawn, label), highest, 0, len(numbers))


def shares(parts: Iterable[tuple[str, float]], total: float, label: str) -> Markup:
    """Draw the parts of a whole as one bar."""
    drawn, begins = [], 0.0
    for name, number in parts:
        width = 100 * number / total if total else 0.0
        if width:
            drawn.append(
                Markup('<rect class="fill {}" x="{}%" width="{}%" height="100%"/>').format(
                    name, f"{begins:.2f}", f"{width:.2f}"
                )
            )
        begins += width
    return Markup('<svg class="shares" role="img" aria-label="{}">{}</svg>').format(
        label, Markup("").join(drawn)
    )


def _svg(drawn: Markup, label: str) -> Markup:
    grid = "".join(f"M0 {HEIGHT * part:.1f}H{WIDTH}" for part in (0.0, 0.5, 1.0))
    return Markup(
        '<svg class="plot" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" '
        'aria-label="{}"><path class="grid" d="{}"/>{}</svg>'
    ).format(WIDTH, HEIGHT, escape(label), grid, drawn)


def _path(points: Iterable[Point]) -> str:
    return "".join(_steps(points))


def _steps(points: Iterable[Point]) -> Iterator[str]:
    stroke = "M"
    for x, y in points:
        yield f"{stroke}{x:.1f} {y:.1f}"
        stroke = "L"


def _y(value: float, highest: float) -> float:
    return HEIGHT - (HEIGHT * value / highest if highest else 0.0)


def _value(point: Point) -> float:
    return point[1]


def _nice(value: float) -> float:
    """Round up to a number that a person would write at an axis."""
    if value < _LEAST:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * step for step in _STEPS if power * step >= value)

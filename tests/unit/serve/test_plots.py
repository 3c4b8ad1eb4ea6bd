"""Drawings are small, keep what matters, and have no text that could be more than text."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from n8n_scraper.serve.plots import (
    HEIGHT,
    MOST_POINTS,
    WIDTH,
    Line,
    Stack,
    columns,
    decimated,
    lines,
    shares,
    stack,
)

VALUES = st.floats(min_value=0, max_value=1e9)
NUMBERS = r"-?\d+(?:\.\d+)?"


@given(st.lists(VALUES, max_size=2_000))
def test_what_is_left_out_is_neither_the_highest_nor_the_lowest(values: list[float]) -> None:
    points = [(float(at), value) for at, value in enumerate(values)]

    kept = decimated(points)

    assert len(kept) <= max(MOST_POINTS, 0)
    assert kept == sorted(kept)
    assert set(kept) <= set(points)
    if values:
        assert max(value for _, value in kept) == max(values)
        assert min(value for _, value in kept) == min(values)


@given(st.lists(VALUES, min_size=1, max_size=50))
@example([5e-324])
@example([1e-9])
@example([999.9999999999999])
@example([0.00009999999999999999])
def test_a_line_stays_in_its_box(values: list[float]) -> None:
    points = [(float(at), value) for at, value in enumerate(values)]

    plot = lines([Line("used", points)], 0, len(values) - 1, "a line")

    path = re.search(r'class="line used" d="([^"]+)"', plot.svg)
    assert path is not None
    for x, y in re.findall(rf"[ML]({NUMBERS}) ({NUMBERS})", path[1]):
        assert 0 <= float(x) <= WIDTH
        assert 0 <= float(y) <= HEIGHT
    assert plot.highest >= max(values)


def test_what_ended_in_one_span_stands_on_top_of_one_another() -> None:
    drawn = Stack(("complete", "failed"), [(0, [3, 1]), (60, [0, 0])])

    plot = stack(drawn, 0, 120, "ended", span=60)

    assert (plot.highest, plot.step_seconds) == (4, 60)
    assert re.findall(r'class="fill (\w+)"', plot.svg) == ["complete", "failed"]


def test_no_column_is_narrower_than_what_was_counted_together() -> None:
    spans = [(60.0 * number, [1.0]) for number in range(10_000)]

    few = stack(Stack(("complete",), spans[:2]), 0, 120, "ended", span=60)
    many = stack(Stack(("complete",), spans), 0, 600_000, "ended", span=60)

    assert few.step_seconds == 60
    assert many.step_seconds == 5_000
    assert len(many.svg) < 10_000


def test_two_thousand_points_take_little_room() -> None:
    points = [(float(at), float(at * 7919 % 1000)) for at in range(2_000)]

    assert len(lines([Line("used", points)], 0, 2_000, "a line").svg) < 15_000


def test_a_label_is_never_markup() -> None:
    label = '"><script>x</script>'

    drawn = [
        lines([], 0, 1, label).svg,
        columns([1, 2], label).svg,
        shares([("complete", 1)], 1, label),
    ]

    assert not any("<script>" in one for one in drawn)


def test_the_parts_of_a_whole_fill_its_bar() -> None:
    svg = shares([("complete", 3), ("failed", 0), ("left", 1)], 4, "3 complete, 1 left")

    assert re.findall(r'x="([\d.]+)%" width="([\d.]+)%"', svg) == [
        ("0.00", "75.00"),
        ("75.00", "25.00"),
    ]

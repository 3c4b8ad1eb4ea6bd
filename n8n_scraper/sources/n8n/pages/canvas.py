"""Find what lies where on a canvas, in a time that grows with what is found."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import inf

Point = tuple[float, float]
_Column = list[tuple[float, int]]


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A place on the canvas."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Where it ends on the right."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Where it ends below."""
        return self.top + self.height

    @property
    def middle(self) -> Point:
        """The point in its middle."""
        return self.left + self.width / 2, self.top + self.height / 2

    def share_inside(self, other: Rectangle) -> float:
        """How much of this one's area lies in the other, from 0 to 1."""
        wide = _common(self.left, self.width, other.left, other.width)
        high = _common(self.top, self.height, other.top, other.height)
        return (wide / self.width) * (high / self.height)


def _common(start: float, length: float, other_start: float, other_length: float) -> float:
    common = min(start + length, other_start + other_length) - max(start, other_start)
    return min(max(common, 0.0), length)


class Points:
    """Points by their places, for questions about rectangles: a merge sort tree.

    The points are sorted by x. Over them lie blocks of 1, 2, 4 … neighbours, each sorted by y, so
    that any range of x is put together from few blocks, and each of them is cut by two bisections.
    """

    def __init__(self, points: Sequence[Point]) -> None:
        order = sorted(range(len(points)), key=points.__getitem__)
        self._xs = [points[number][0] for number in order]
        self._levels: list[list[_Column]] = [[[(points[number][1], number)] for number in order]]
        while len(blocks := self._levels[-1]) > 1:
            self._levels.append(
                [
                    sorted(chain.from_iterable(blocks[at : at + 2]))
                    for at in range(0, len(blocks), 2)
                ]
            )

    def count(self, rectangle: Rectangle) -> int:
        """How many points lie in a rectangle, its border included."""
        return sum(end - start for _, start, end in self._cuts(rectangle))

    def inside(self, rectangle: Rectangle) -> list[int]:
        """The numbers of the points that lie in a rectangle, in the order in which they came."""
        return sorted(
            number
            for column, start, end in self._cuts(rectangle)
            for _, number in column[start:end]
        )

    def _cuts(self, rectangle: Rectangle) -> Iterator[tuple[_Column, int, int]]:
        left, right = _roomy(rectangle.left, rectangle.width)
        top, bottom = _roomy(rectangle.top, rectangle.height)
        start, end = bisect_left(self._xs, left), bisect_right(self._xs, right)
        for blocks in self._levels:
            if start >= end:
                return
            columns = []
            if start & 1:
                columns.append(blocks[start])
                start += 1
            if end & 1:
                end -= 1
                columns.append(blocks[end])
            for column in columns:
                yield column, bisect_left(column, (top,)), bisect_right(column, (bottom, inf))
            start, end = start >> 1, end >> 1


def _roomy(start: float, length: float) -> Point:
    """Both ends of a side, moved apart by more than what adding up may have rounded away."""
    end = start + length
    margin = 1.0 + 1e-12 * max(abs(start), abs(end))
    return start - margin, end + margin

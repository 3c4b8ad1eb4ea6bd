"""A metric: its name, its kind, what it says and its labels; a sample: one value of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

PREFIX = "n8n_scraper_"


class Kind(StrEnum):
    """How a value may be used."""

    COUNTER = "counter"  # it only rises, from 0 at the start of the process that tells it
    GAUGE = "gauge"  # it is what it is at the moment


@dataclass(frozen=True, slots=True)
class Metric:
    """One line of the catalogue."""

    name: str
    """As it is exposed."""
    kind: Kind
    says: str
    labels: tuple[str, ...] = ()

    def of(self, value: float, *labels: str) -> Sample:
        """Give a value of it, with the values of its labels in their order."""
        assert len(labels) == len(self.labels), self.name
        return Sample(self, labels, float(value))


class Sample(NamedTuple):
    """One value of a metric at one moment."""

    metric: Metric
    labels: tuple[str, ...]
    value: float


def gauge(name: str, says: str, *labels: str) -> Metric:
    """Name what is as it is."""
    return Metric(PREFIX + name, Kind.GAUGE, says, labels)


def counter(name: str, says: str, *labels: str) -> Metric:
    """Name what only rises."""
    return Metric(f"{PREFIX}{name}_total", Kind.COUNTER, says, labels)

"""Decide how a crawl shows its progress."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from n8n_scraper.core.typed_settings import Given, TypedSettings, choice


class HowShown(StrEnum):
    """How progress is shown: the values of `PROGRESS`."""

    AUTO = "auto"
    BAR = "bar"
    LINES = "lines"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class ProgressSettings(TypedSettings):
    """What the person running a crawl wants to see of it."""

    display: HowShown

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `PROGRESS`."""
        return cls(choice(settings, "PROGRESS", HowShown))

    def as_bar(self, *, on_terminal: bool) -> bool:
        """Whether a bar is drawn; where it is not, lines are logged."""
        return self.display is HowShown.BAR or (self.display is HowShown.AUTO and on_terminal)

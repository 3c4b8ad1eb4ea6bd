"""A clock that stands still until it is moved."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class MovableClock:
    """Tells the time where a clock is called, and moves where one would wait."""

    now: float = 1000.0
    slept: float = 0.0
    """For how long `sleep` was asked to wait."""

    def __call__(self) -> float:
        """Tell the time."""
        return self.now

    def move(self, seconds: float) -> None:
        """Let time pass, or set the clock back."""
        self.now += seconds

    def sleep(self, seconds: float) -> None:
        """Let as much time pass as somebody is ready to wait, at once."""
        self.move(seconds)
        self.slept += seconds

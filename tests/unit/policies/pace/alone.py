"""A process that asks a domain, and puts its questions to the store at once."""

from __future__ import annotations

from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.pace.domain_state import Rules, Step
from n8n_scraper.policies.pace.pace import Pace
from n8n_scraper.policies.pace.pace_store import MemoryPaceStore, PaceStore
from n8n_scraper.testing.clock import MovableClock

DOMAIN = "n8n.io"


class AloneWith:
    """A pace, the clock by which it goes, and a store: its own, or one that it shares."""

    def __init__(self, clock: MovableClock, rules: Rules, store: PaceStore | None = None) -> None:
        self.clock = clock
        self.store = store or MemoryPaceStore(clock)
        self.pace = Pace(DOMAIN, rules)

    @property
    def rate(self) -> float:
        return self.pace.rate

    def wait(self, *, ahead: int = 0, waiting: int = 1) -> float | None:
        while question := self.pace.ask(self.clock(), ahead=ahead, waiting=waiting):
            self.pace.hear(question(self.store), asked_at=self.clock(), heard_at=self.clock())
        return self.pace.wait(self.clock(), ahead=ahead)

    def take(self, *, as_probe: bool = False) -> bool:
        self.wait()
        return self.pace.take(self.clock(), as_probe=as_probe)

    def leave(self, count: int) -> list[float]:
        """Let so many leave one after the other, each as soon as it may; give their times."""
        left = []
        for _ in range(count):
            while wait := self.wait():
                self.clock.move(wait)
            assert self.take()
            left.append(self.clock())
        return left

    def look(self) -> None:
        """Find out what is new, if it is time for that."""
        if question := self.pace.news(self.clock()):
            self.pace.hear(question(self.store), asked_at=self.clock(), heard_at=self.clock())

    def hear(self, category: Category | None, evidence: str = "", **more: object) -> None:
        """Hear how a request has ended."""
        step = self.pace.result(self.clock(), category, evidence, **more)  # type: ignore[arg-type]
        if step is not None:
            self.tell(step)

    def hear_retry_after(self, seconds: float) -> None:
        self.tell(self.pace.retry_after(seconds))

    def tell(self, step: Step) -> None:
        seen = self.store.change(DOMAIN, step)
        self.pace.hear(seen, asked_at=self.clock(), heard_at=self.clock())

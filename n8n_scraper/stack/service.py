"""One service of the stack: how to tell that it is healthy, how to start it, how to get it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from n8n_scraper.stack.children import Program
from n8n_scraper.stack.health import Health


@dataclass(frozen=True, slots=True)
class Service:
    """What work may need besides the crawl itself."""

    name: str
    prevents: str
    """What cannot be done without it."""
    remedy: str
    """What a person does to get it; empty where `up` is all that it takes."""
    check: Callable[[float], Health]
    """Ask it, wait for so many seconds for an answer, and change nothing."""
    unneeded: str | None = None
    """Why nobody needs it, as things are set."""
    needs: tuple[str, ...] = ()
    """The services without which it cannot even be asked."""
    program: Program | None = None
    """What to run where it is not healthy; None for what others have to start."""
    make: Callable[[], None] | None = None
    """What to do once where it is not there yet or not up to date, instead of a program."""
    port: tuple[str, int] | None = None
    """Where the program would listen, if it does."""

    @property
    def can_be_started(self) -> bool:
        """Whether `up` can do something about it."""
        return self.program is not None or self.make is not None

"""A run as a process at work on it knows it: what it has heard of the ledger, and done since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.ledger import UNSETTLED, Closing, Inventory, Joined, Tally
from n8n_scraper.policies.run.counts import Counts


class Run:
    """Where a run stands; exact whenever the ledger has counted, and as exact for one worker alone.

    Others' work comes to light with the next count.
    """

    def __init__(self, joined: Joined) -> None:
        self.run_id = joined.run_id
        self.arguments: Mapping[str, Any] = joined.arguments
        self.taken_up = joined.taken_up
        self.inventory: Inventory = joined.inventory
        self._outcomes: dict[Outcome, int] = {}
        self._unsettled = 0
        self._left = 0
        self.heard(joined.tally)

    @property
    def counts(self) -> Counts:
        """How far the run is."""
        outcomes = {str(outcome): number for outcome, number in self._outcomes.items()}
        return Counts(outcomes, self._unsettled, max(0, self._left))

    @property
    def planned(self) -> int:
        """How many items it expects."""
        return self.counts.total

    def heard(self, tally: Tally) -> None:
        """Take over what the ledger has counted."""
        self._outcomes = {Outcome(name): number for name, number in tally.outcomes.items()}
        self._unsettled, self._left = tally.unsettled, tally.left

    def added(self, items: int) -> None:
        """Expect more items."""
        self._left += items

    def ended(self, closing: Closing) -> None:
        """Count an item that has ended."""
        self._outcomes[closing.outcome] = self._outcomes.get(closing.outcome, 0) + 1
        self._unsettled += closing.state in UNSETTLED
        self._left -= 1

"""Keep a process within the number of requests that it has set aside of its run's budget."""

from __future__ import annotations


class Budget:
    """Counts what was sent and what is promised to the items under way.

    An item is promised its requests before it begins, so that those on their way are never
    counted twice and never forgotten. Repeats were promised to nobody: they take from what is left.
    """

    def __init__(self, most: int, spent: int = 0) -> None:
        self.most = most
        self.spent = spent
        self._promised: dict[str, int] = {}

    @property
    def left(self) -> int:
        """Requests that are neither sent nor promised."""
        return max(0, -self.lacking(0))

    @property
    def unsent(self) -> int:
        """Requests that were set aside and are not sent."""
        return max(0, self.most - self.spent)

    def lacking(self, requests: int) -> int:
        """How many more have to be set aside before so many can be promised."""
        return requests + self.spent + sum(self._promised.values()) - self.most

    def grant(self, requests: int) -> None:
        """Allow so many more; fewer when it is negative."""
        self.most += requests

    def promise(self, item_id: str, requests: int = 1) -> bool:
        """Set requests aside for an item; False when there are not enough left."""
        if self.left < requests:
            return False
        self._promised[item_id] = self._promised.get(item_id, 0) + requests
        return True

    def allows(self, item_id: str | None) -> bool:
        """Whether one more request may wait for its turn; an item gets it promised if need be.

        None stands for the requests that find out what there is.
        """
        if item_id is None:
            return self.left > 0
        return self._promised.get(item_id, 0) > 0 or self.promise(item_id)

    def sent(self, item_id: str | None) -> None:
        """Count a request that has left."""
        self.spent += 1
        if item_id is not None and self._promised.get(item_id):
            self._promised[item_id] -= 1

    def ended(self, item_id: str) -> None:
        """Take back what an item did not need."""
        self._promised.pop(item_id, None)

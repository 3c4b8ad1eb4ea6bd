"""Carry how items ended to the server: several at once where it takes them so.

Of several that were sent together, each is believed to be taken only where the server says so of
it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from n8n_scraper.core.errors import BadContent
from n8n_scraper.etl.answers import ForeignRun
from n8n_scraper.etl.client import EtlClient, EtlFailure
from n8n_scraper.etl.mapping import flags_of
from n8n_scraper.etl.on_its_way import RunOnItsWay, Told, came_of, delivered
from n8n_scraper.outbox.message import Message
from n8n_scraper.policies.outbox.delivery import FAILURES_TO_REST, TAKEN, Came

logger = logging.getLogger(__name__)

_UNKNOWN_BATCHES = (400, 404, 405, 415, 422, 501)
"""Answers to several items at once by which a server may say that it takes them one by one."""


class ItemCarrier:
    """Sends items of any run, and remembers whether the server takes several at once."""

    def __init__(self, client: EtlClient) -> None:
        self.client = client
        self.takes_batches = client.settings.batch > 1

    def carry(
        self, messages: Sequence[Message], run: RunOnItsWay, is_late: Callable[[], bool]
    ) -> list[Told]:
        """Send items together, and alone what was not taken so.

        One item that the server fails at must not be the others' failure. When it is late, what
        has not begun is left.
        """
        if not self.takes_batches or len(messages) == 1:
            return self._each(messages, run, is_late)
        taken: list[Message] = []
        try:
            taken += self._those_there(messages, run) if _any_in_doubt(messages) else []
            taken += self._together(_without(taken, messages), run)
        except EtlFailure as failure:
            told = [(message, came_of(failure)) for message in _without(taken, messages)]
            return [(message, TAKEN) for message in taken] + told
        left = self._each(_without(taken, messages), run, is_late)
        return [(message, TAKEN) for message in taken] + left

    def _together(self, messages: Sequence[Message], run: RunOnItsWay) -> list[Message]:
        """Send items together, and give those of which the server says that it has them.

        Raises EtlFailure where no other item is to be tried now.
        """
        if not messages:
            return []
        wanted = {run.url_of(message): flags_of(message.payload) for message in messages}
        try:
            seen = self.client.update_scrape_run_items(run.theirs, wanted)
        except EtlFailure as failure:
            if failure.came is Came.AWAY:
                raise
            if failure.status in _UNKNOWN_BATCHES:
                self._one_by_one()
                return []
            return self._those_there(messages, run) if failure.in_doubt else []
        taken = self._those_there(messages, run) if seen is None else _had(seen, messages, run)
        if not taken:
            self._one_by_one()
        return taken

    def _each(
        self, messages: Sequence[Message], run: RunOnItsWay, is_late: Callable[[], bool]
    ) -> list[Told]:
        """Send items one by one, until the server fails too often in a row."""
        told: list[Told] = []
        in_a_row = 0
        for message in messages:
            delivery = delivered(lambda one=message: self._item(one, run))  # type: ignore[misc]
            told.append((message, delivery))
            in_a_row = in_a_row + 1 if delivery.came is Came.FAILED else 0
            if delivery.came is Came.AWAY or in_a_row >= FAILURES_TO_REST or is_late():
                break
        return told

    def _those_there(self, messages: Sequence[Message], run: RunOnItsWay) -> list[Message]:
        """Ask which items the server has as they are told."""
        try:
            return _had(self.client.fetch_scrape_run(run.theirs), messages, run)
        except BadContent as error:
            raise EtlFailure(str(error), Came.FAILED, in_doubt=True) from None

    def _one_by_one(self) -> None:
        self.takes_batches = False
        logger.info("The server takes items one by one")

    def _item(self, message: Message, run: RunOnItsWay) -> None:
        if message.in_doubt and self._those_there([message], run):
            return
        try:
            flags = flags_of(message.payload)
            self.client.update_scrape_run_item(run.theirs, run.url_of(message), flags)
        except EtlFailure as failure:
            if failure.status != 409 or not self._those_there([message], run):
                raise


def _had(seen: ForeignRun, messages: Sequence[Message], run: RunOnItsWay) -> list[Message]:
    """Give the messages whose items stand over there as they say."""
    there = seen.items or {}
    return [
        message
        for message in messages
        if (flags := there.get(run.url_of(message)))
        and flags.kind == flags_of(message.payload).kind
    ]


def _any_in_doubt(messages: Sequence[Message]) -> bool:
    return any(message.in_doubt for message in messages)


def _without(some: Sequence[Message], messages: Sequence[Message]) -> list[Message]:
    numbers = {message.number for message in some}
    return [message for message in messages if message.number not in numbers]

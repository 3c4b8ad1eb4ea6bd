"""A run whose messages are on their way, and how the sending of one came out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from n8n_scraper.core.errors import BadContent
from n8n_scraper.etl.client import EtlFailure
from n8n_scraper.outbox.message import Message
from n8n_scraper.policies.outbox.delivery import TAKEN, Came, Delivery
from n8n_scraper.reports.outgoing import OutgoingRun

Told = tuple[Message, Delivery]


@dataclass(frozen=True, slots=True)
class RunOnItsWay:
    """What carrying the messages of a run needs."""

    run: OutgoingRun | None
    name: str | None
    """Its id over there; None where it was not told yet."""
    urls: Mapping[str, str]
    """The addresses of its items that the messages speak of, by their ids."""

    def url_of(self, message: Message) -> str:
        """Give the address of the item of a message."""
        return self.urls[message.payload["item_id"]]

    @property
    def ours(self) -> OutgoingRun:
        """The run as our ledger has it."""
        if self.run is None:
            raise EtlFailure("its run is not in this database any more", Came.REFUSED)
        return self.run

    @property
    def theirs(self) -> str:
        """Its id over there, of a run that was taken."""
        if self.name is None:
            raise EtlFailure("the server has not taken its run", Came.REFUSED)
        return self.name


def delivered(send: Callable[[], None]) -> Delivery:
    """Send, and say how that came out."""
    try:
        send()
    except EtlFailure as failure:
        return came_of(failure)
    except BadContent as error:
        return Delivery(Came.FAILED, str(error), in_doubt=True)
    return TAKEN


def came_of(failure: EtlFailure) -> Delivery:
    """Say what a failure means for a message."""
    return Delivery(
        failure.came, str(failure), server_wait=failure.server_wait, in_doubt=failure.in_doubt
    )

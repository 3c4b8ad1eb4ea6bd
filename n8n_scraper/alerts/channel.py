"""Carry alerts to one address by Apprise, which says no more than whether they were taken.

Apprise and what it asks the net with write addresses into the log; they are told not to.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from n8n_scraper.outbox.message import Message
from n8n_scraper.policies.alerts.alert_settings import Address
from n8n_scraper.policies.outbox.delivery import TAKEN, Came, Delivery

_LEASE_SECONDS = 120.0
_BATCH = 10
_TALKATIVE = ("apprise", "urllib3")
_SILENT = logging.CRITICAL + 1


def channel_name(address: Address) -> str:
    """Name the way to an address."""
    return f"alerts/{address.name}"


class AlertChannel:
    """The way to one address: one that is away holds up no other."""

    batch = _BATCH
    lease_seconds = _LEASE_SECONDS

    def __init__(self, address: Address) -> None:
        self.address = address
        self.name = channel_name(address)

    def load(self, _session: Any, messages: Sequence[Message]) -> AlertLoad:
        """Take the messages along: there is nothing more to be known."""
        return AlertLoad(self.address, tuple(messages))


@dataclass(frozen=True, slots=True)
class AlertLoad:
    """Alerts on their way."""

    address: Address
    messages: tuple[Message, ...]

    def carry(self) -> list[tuple[Message, Delivery]]:
        """Send them one by one, until one is not taken."""
        told: list[tuple[Message, Delivery]] = []
        for message in self.messages:
            told.append((message, notify(self.address, message.payload)))
            if told[-1][1].came is Came.FAILED:
                break
        return told

    def note(self, _session: Any) -> None:
        """Note nothing: nobody answers."""


def notify(address: Address, payload: Mapping[str, str]) -> Delivery:
    """Send one message to an address, here and now."""
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(_SILENT)
    with warnings.catch_warnings():  # its own about its own, when it is imported
        warnings.simplefilter("ignore", DeprecationWarning)
        import apprise

        service = apprise.Apprise.instantiate(address.url)
    if service is None:
        return Delivery(Came.REFUSED, f"{address} is no address that Apprise knows")
    try:
        taken = service.notify(
            body=payload["body"],
            title=payload["title"],
            notify_type=apprise.NotifyType(payload["kind"]),
            body_format=apprise.NotifyFormat.TEXT,
        )
    except Exception as error:  # noqa: BLE001 - its plugins are many, and their text may tell secrets
        return Delivery(Came.FAILED, f"{address}: {type(error).__name__}")
    return TAKEN if taken else Delivery(Came.FAILED, f"{address} has not taken it")

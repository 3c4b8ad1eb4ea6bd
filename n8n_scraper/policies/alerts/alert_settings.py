"""Read what counts as wrong, and who is told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Self

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.extras import ALERTS
from n8n_scraper.core.typed_settings import (
    Given,
    TypedSettings,
    refuse,
    seconds,
    share,
    table,
    text,
)

_NEXT_ADDRESS = re.compile(r"[\s,]+(?=[a-z][a-z0-9+.-]*://)", re.IGNORECASE)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://.", re.IGNORECASE)
_LONGEST_NAME = 8


@dataclass(frozen=True, slots=True)
class Address:
    """Where alerts go; most of it is a secret."""

    url: str = field(repr=False)

    @property
    def name(self) -> str:
        """What it is called: a part of its fingerprint, which tells nothing of it."""
        return sha256(self.url.encode()).hexdigest()[:_LONGEST_NAME]

    def __str__(self) -> str:
        return f"{self.url.partition('://')[0]}://… ({self.name})"


@dataclass(frozen=True, slots=True)
class AlertSettings(TypedSettings):
    """The thresholds, and the addresses."""

    addresses: tuple[Address, ...]
    check_seconds: float
    cooldown_seconds: float
    repeat_seconds: float
    stale_seconds: float
    circuit_seconds: float
    error_rate: float
    coverage: Mapping[str, Mapping[str, float]]

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `ALERT_…`."""
        return cls(
            _addresses(text(settings, "ALERT_URLS")),
            seconds(settings, "ALERT_CHECK_SECONDS"),
            seconds(settings, "ALERT_COOLDOWN"),
            seconds(settings, "ALERT_REPEAT"),
            seconds(settings, "ALERT_STALE_AFTER"),
            seconds(settings, "ALERT_CIRCUIT_OPEN_AFTER"),
            share(settings, "ALERT_ERROR_RATE"),
            _bars(settings, "ALERT_COVERAGE", table(settings, "ALERT_COVERAGE")),
        )

    @property
    def in_use(self) -> bool:
        """Whether there is anybody to tell."""
        return bool(self.addresses)

    def check(self) -> None:
        """Say what is lacking to tell anybody."""
        if self.in_use:
            ALERTS.require("apprise", "ALERT_URLS")


def _addresses(given: str) -> tuple[Address, ...]:
    words = [word.strip(" ,\t\r\n") for word in _NEXT_ADDRESS.split(given)]
    found = [word for word in words if word]
    for number, word in enumerate(found, 1):
        if not _SCHEME.match(word):  # it stays unsaid: it may hold a password
            raise BadInput(
                f"ALERT_URLS: number {number} is no address; write such as mailto://…, slack://… "
                "or json://…, with spaces or commas between them."
            )
    return tuple(map(Address, dict.fromkeys(found)))


def _bars(
    settings: Given, name: str, given: Mapping[str, object]
) -> dict[str, Mapping[str, float]]:
    bars: dict[str, Mapping[str, float]] = {}
    for source, fields in given.items():
        if not isinstance(fields, Mapping) or not all(map(_is_share, fields.values())):
            refuse(settings, name, 'shares by source and field, as in {"n8n": {"title": 0.99}}')
        bars[source] = {field: float(bar) for field, bar in fields.items()}
    return bars


def _is_share(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= 1

"""Read to which server our runs are told."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self
from urllib.parse import urlsplit

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.typed_settings import Given, TypedSettings, choice, seconds, text, whole

_QUOTES = "\"'"


class Finalising(StrEnum):
    """By which words a run is said to be over: the values of `ETL_FINALIZE`."""

    STATUS = "status"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class EtlSettings(TypedSettings):
    """The server, the key to it, and how it is spoken to."""

    endpoint: str
    key: str = field(repr=False)
    timeout_seconds: float
    batch: int
    finalising: Finalising
    patience_seconds: float
    last_wait_seconds: float

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `ETL_…` and how long messages are kept; one of endpoint and key is not enough."""
        endpoint = text(settings, "ETL_API_ENDPOINT").strip().strip(_QUOTES).strip().rstrip("/")
        key = text(settings, "ETL_API_KEY").strip().strip(_QUOTES)
        if bool(endpoint) != bool(key):
            lacking = "ETL_API_KEY" if endpoint else "ETL_API_ENDPOINT"
            given = "ETL_API_ENDPOINT" if endpoint else "ETL_API_KEY"
            raise BadInput(f"{given} is given and {lacking} is not: give both, or neither.")
        if endpoint and not _is_address(endpoint):
            raise BadInput(  # the value stays unsaid: it may hold a password
                "ETL_API_ENDPOINT is no address; write one such as https://etl.example."
            )
        if not key.isascii() or not key.isprintable():
            raise BadInput("ETL_API_KEY has a sign that no header can carry.")
        return cls(
            endpoint,
            key,
            seconds(settings, "ETL_TIMEOUT"),
            whole(settings, "ETL_BATCH"),
            choice(settings, "ETL_FINALIZE", Finalising),
            seconds(settings, "OUTBOX_PATIENCE"),
            seconds(settings, "OUTBOX_LAST_WAIT"),
        )

    @property
    def in_use(self) -> bool:
        """Whether there is a server to tell."""
        return bool(self.endpoint)

    @property
    def place(self) -> str:
        """The server as a person reads it, without a password."""
        parts = urlsplit(self.endpoint)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _is_address(endpoint: str) -> bool:
    try:
        parts = urlsplit(endpoint)
        plain = not parts.query and not parts.fragment and parts.port != 0
        return bool(parts.scheme in ("http", "https") and parts.hostname and plain)
    except ValueError:
        return False

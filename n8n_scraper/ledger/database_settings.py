"""Read which database is meant, and how long a server that is away is waited for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

from n8n_scraper.core.typed_settings import Given, TypedSettings, seconds, text
from n8n_scraper.ledger.address import parse_url


@dataclass(frozen=True, slots=True)
class DatabaseSettings(TypedSettings):
    """Where everything is kept."""

    url: str = field(repr=False)  # it may hold a password
    patience_seconds: float

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `DATABASE_…`."""
        url = text(settings, "DATABASE_URL")
        parse_url(url)
        return cls(url, seconds(settings, "DATABASE_PATIENCE"))

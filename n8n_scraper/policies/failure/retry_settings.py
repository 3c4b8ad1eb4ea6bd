"""Read how often each kind of failure is asked again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.typed_settings import Given, TypedSettings, table
from n8n_scraper.policies.failure.retry import RetryTable


@dataclass(frozen=True, slots=True)
class RetrySettings(TypedSettings):
    """The rule of each category of failure."""

    rules: RetryTable

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `RETRY_RULES`, which names what differs from the default table."""
        try:
            return cls(RetryTable.from_mapping(table(settings, "RETRY_RULES")))
        except (ValueError, TypeError) as error:
            words = str(error)
            raise BadInput(words if "RETRY_RULES" in words else f"RETRY_RULES: {words}") from None

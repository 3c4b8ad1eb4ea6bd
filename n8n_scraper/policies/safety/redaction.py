"""Name what can be done about secrets; what they are, `secrets.py` knows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from n8n_scraper.core.typed_settings import Given, TypedSettings, choice


class Redaction(StrEnum):
    """What is done about secrets: the values of `REDACT`."""

    OFF = "off"
    REPORT = "report"
    REPLACE = "replace"


@dataclass(frozen=True, slots=True)
class RedactionSettings(TypedSettings):
    """What is wanted about secrets."""

    redaction: Redaction

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `REDACT`."""
        return cls(choice(settings, "REDACT", Redaction))

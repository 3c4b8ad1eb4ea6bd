"""Read how fast each domain may be asked, and when it is left alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.typed_settings import (
    Given,
    TypedSettings,
    number,
    refuse,
    seconds,
    table,
    whole,
)
from n8n_scraper.policies.pace.circuit import CircuitLimits
from n8n_scraper.policies.pace.token_bucket import BucketLimits

_RATE = "a number of requests per second, as in 2.0"


@dataclass(frozen=True, slots=True)
class PaceSettings(TypedSettings):
    """What the operator allows us of each domain."""

    KEPT: ClassVar = ("RATE_LIMIT_RATE", "RATE_LIMIT_BURST", "RATE_LIMITS")

    default: BucketLimits
    by_domain: Mapping[str, BucketLimits]
    floor: float
    """The slowest rate that a site's complaints may teach."""
    retry_after_cap_seconds: float

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `RATE_LIMIT…` and `RETRY_AFTER_CAP`."""
        rate, burst = (
            number(settings, "RATE_LIMIT_RATE", _RATE),
            whole(settings, "RATE_LIMIT_BURST"),
        )
        try:
            by_domain = BucketLimits.by_domain(table(settings, "RATE_LIMITS"))
        except ValueError as error:
            raise BadInput(str(error)) from None
        return cls(
            default=BucketLimits(rate, burst),
            by_domain=by_domain,
            floor=number(settings, "RATE_LIMIT_FLOOR", _RATE),
            retry_after_cap_seconds=seconds(settings, "RETRY_AFTER_CAP"),
        )

    def limits_of(self, domain: str) -> BucketLimits:
        """The limits of a registrable domain."""
        return self.by_domain.get(domain, self.default)


@dataclass(frozen=True, slots=True)
class CircuitSettings(TypedSettings):
    """How much failing of a domain is tolerated, and how long it is waited for."""

    limits: CircuitLimits
    wait_limit_seconds: float
    """How long a crawl waits for a site that stays down."""

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `CIRCUIT_BREAKER_…`."""
        hold = seconds(settings, "CIRCUIT_BREAKER_HOLD")
        if not hold:
            refuse(settings, "CIRCUIT_BREAKER_HOLD", "a number of seconds, more than 0")
        limits = CircuitLimits(
            failures=whole(settings, "CIRCUIT_BREAKER_FAILURES"),
            hold_seconds=hold,
            hold_cap_seconds=max(seconds(settings, "CIRCUIT_BREAKER_HOLD_CAP"), hold),
        )
        return cls(limits, seconds(settings, "CIRCUIT_BREAKER_WAIT_LIMIT"))

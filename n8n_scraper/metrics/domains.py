"""Bound the number of domains that are told one by one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

from n8n_scraper.reports.domains import Circuit, DomainReport

T = TypeVar("T")

MOST_DOMAINS = 50
"""Pictures lead to many hosts, and each domain is some ten series."""


def told_one_by_one(domains: Iterable[DomainReport]) -> list[DomainReport]:
    """Give those that are told: what is left alone or held first, then what was met last."""
    by_age = sorted(domains, key=lambda one: (one.noted_at, one.domain), reverse=True)
    return sorted(by_age, key=_is_well)[:MOST_DOMAINS]


def first_met(domains: Iterable[T]) -> list[T]:
    """Give the first that a crawl has met: whichever is told keeps being told, and its counts."""
    return list(islice(domains, MOST_DOMAINS))


def _is_well(domain: DomainReport) -> bool:
    return domain.circuit is Circuit.CLOSED and not domain.held_for_seconds

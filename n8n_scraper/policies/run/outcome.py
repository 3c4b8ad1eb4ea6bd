"""Compute how an item ended from how its parts ended, never from "no exception"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from n8n_scraper.core.outcomes import Outcome, PartStatus
from n8n_scraper.policies.failure.category import REFUSALS

if TYPE_CHECKING:
    from n8n_scraper.core.item import PartState


def outcome_of(parts: Mapping[str, PartState]) -> Outcome:
    """Name the one outcome that follows from the parts."""
    states = list(parts.values())
    if any(state.status is PartStatus.OK for state in states):
        whole = all(state.status in (PartStatus.OK, PartStatus.SKIPPED) for state in states)
        return Outcome.COMPLETE if whole else Outcome.PARTIAL
    if any(_is_refused(state) for state in states):
        return Outcome.BLOCKED
    if any(state.status is PartStatus.FAILED for state in states):
        return Outcome.FAILED
    return Outcome.GONE


def is_the_sites_doing(parts: Mapping[str, PartState]) -> bool:
    """Whether nothing of what is lacking could still be had by asking again."""
    return all(state.status is not PartStatus.FAILED for state in parts.values())


def cause(parts: Mapping[str, PartState]) -> PartState | None:
    """The first part that failed, else the first that is missing: what a person is told."""
    for status in (PartStatus.FAILED, PartStatus.MISSING):
        for state in parts.values():
            if state.status is status:
                return state
    return None


def _is_refused(state: PartState) -> bool:
    return state.status is PartStatus.FAILED and state.category in REFUSALS

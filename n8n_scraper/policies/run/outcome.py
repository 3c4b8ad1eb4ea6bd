"""Compute how a template ended from how its layers ended, never from "no exception"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from n8n_scraper.core.outcomes import Layer, LayerStatus, Outcome

if TYPE_CHECKING:
    from n8n_scraper.sources.n8n.item import LayerState

_REFUSALS = ("auth", "forbidden", "blocked")


def outcome_of(layers: Mapping[Layer, LayerState]) -> Outcome:
    """Name the one outcome that follows from the layers."""
    states = list(layers.values())
    if any(state.status is LayerStatus.OK for state in states):
        whole = all(state.status in (LayerStatus.OK, LayerStatus.SKIPPED) for state in states)
        return Outcome.COMPLETE if whole else Outcome.PARTIAL
    if any(_is_refused(state) for state in states):
        return Outcome.BLOCKED
    if any(state.status is LayerStatus.FAILED for state in states):
        return Outcome.FAILED
    return Outcome.GONE


def is_the_sites_doing(layers: Mapping[Layer, LayerState]) -> bool:
    """Whether nothing of what is lacking could still be had by asking again."""
    return all(state.status is not LayerStatus.FAILED for state in layers.values())


def cause(layers: Mapping[Layer, LayerState]) -> LayerState | None:
    """The first layer that failed, else the first that is missing: what a person is told."""
    for status in (LayerStatus.FAILED, LayerStatus.MISSING):
        for state in layers.values():
            if state.status is status:
                return state
    return None


def _is_refused(state: LayerState) -> bool:
    return state.status is LayerStatus.FAILED and state.category in _REFUSALS

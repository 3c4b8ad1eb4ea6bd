"""Decide which of the three requests comes next for a template, and which are not needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.policies.failure.category import REFUSALS
from n8n_scraper.sources.n8n.parts import Layer

if TYPE_CHECKING:
    from n8n_scraper.core.item import PartState


class ChainMode(StrEnum):
    """How much is asked about each template."""

    FULL = "full"  # all three, always
    LEAN = "lean"  # only what the answers so far have not brought


@dataclass(frozen=True, slots=True)
class Brought:
    """What the answers so far have brought."""

    workflow: bool = False
    explanation: bool = False


@dataclass(frozen=True, slots=True)
class Skip:
    """A layer that is not asked for, and why."""

    layer: Layer
    reason: str


def decides(mode: ChainMode, layer: Layer) -> bool:
    """Whether a later step depends on what the answer of this layer says.

    What the site says by a status is known without reading the answer.
    """
    return mode is ChainMode.LEAN and layer is Layer.METADATA


def next_step(
    mode: ChainMode, layers: Mapping[str, PartState], brought: Brought
) -> Layer | Skip | None:
    """Say what to do next: ask for a layer, skip one, or nothing because all are settled."""
    for layer in Layer:
        if layer not in layers:
            reason = _why_not(mode, layer, layers, brought)
            return Skip(layer, reason) if reason else layer
    return None


def _why_not(
    mode: ChainMode, layer: Layer, layers: Mapping[str, PartState], brought: Brought
) -> str | None:
    metadata = layers.get(Layer.METADATA)
    if metadata and metadata.status is PartStatus.MISSING:
        return "the site has no such template"
    if metadata and metadata.category in REFUSALS:
        return "the site refuses this template"
    if mode is ChainMode.LEAN:
        if layer is Layer.JSON and brought.workflow:
            return "metadata brought the workflow"
        if layer is Layer.EXPLAINER and brought.explanation:
            return "metadata brought the explanation"
    return None

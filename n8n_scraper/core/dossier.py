"""Everything known about one template while its chain of requests is under way."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from n8n_scraper.core.outcomes import Layer, LayerStatus
from n8n_scraper.sources.n8n.rules.chain import Brought

if TYPE_CHECKING:
    from n8n_scraper.records.written import Written
    from n8n_scraper.sources.n8n.item import LayerState
    from n8n_scraper.sources.n8n.pages.metadata import Metadata
    from n8n_scraper.sources.n8n.pages.page import ExplainerPage
    from n8n_scraper.sources.n8n.pages.workflow_json import WorkflowJson


@dataclass(frozen=True, slots=True)
class Planned:
    """A template that a run expects: what the inventory says about it."""

    workflow_id: str
    slug: str | None = None
    listed: bool = True
    price: float | None = None
    purchase_url: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of the site exactly as it came, for the record."""

    layer: Layer
    url: str
    http_status: int
    body: bytes
    fetched_at: str


@dataclass(slots=True)
class Dossier:
    """The growing record of one template: the answers, what they say, how each layer went.

    While its chain is under way the answers are kept as they came; a layer that has one counts as
    ok until it is read, which is when the chain is through.
    """

    planned: Planned
    started: float
    answers: dict[Layer, Answer] = field(default_factory=dict)
    layers: dict[Layer, LayerState] = field(default_factory=dict)
    metadata: Metadata | None = None
    workflow_json: WorkflowJson | None = None
    page: ExplainerPage | None = None
    brought: Brought = field(default_factory=Brought)
    """What the metadata have brought, where a later step depends on it."""
    written: Written | None = None
    """The finished item as the database takes it, where it was written out already."""
    requests: int = 0
    kept: set[Layer] = field(default_factory=set)
    """The layers that the database knows of already."""
    strangers: set[Layer] = field(default_factory=set)
    """The layers whose answer spoke of another template."""

    @property
    def workflow_id(self) -> str:
        """The id that every part of the dossier belongs to."""
        return self.planned.workflow_id

    @property
    def has_data(self) -> bool:
        """Whether anything could be had of the template."""
        return any(state.status is LayerStatus.OK for state in self.layers.values())

    def settle(
        self,
        layer: Layer,
        status: LayerStatus,
        reason: str | None = None,
        category: str | None = None,
        http_status: int | None = None,
    ) -> None:
        """Say how a layer ended."""
        from n8n_scraper.sources.n8n.item import LayerState  # a start has no use for the items yet

        self.layers[layer] = LayerState(
            status=status, reason=reason, category=category, http_status=http_status
        )

    def reopen(self, categories: Collection[str]) -> None:
        """Forget that layers failed for these reasons, so that the chain asks for them again."""
        for layer, state in list(self.layers.items()):
            if state.status is LayerStatus.FAILED and state.category in categories:
                del self.layers[layer]
                self.kept.discard(layer)

"""Give what the answers of a template say, each in the type of its reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from n8n_scraper.sources.n8n.parts import Layer

if TYPE_CHECKING:
    from n8n_scraper.core.dossier import Dossier
    from n8n_scraper.sources.n8n.pages.metadata import Metadata
    from n8n_scraper.sources.n8n.pages.page import ExplainerPage
    from n8n_scraper.sources.n8n.pages.workflow_json import WorkflowJson


def metadata_in(dossier: Dossier) -> Metadata | None:
    """Give what the metadata say; None where they were not had."""
    return cast("Metadata | None", dossier.read.get(Layer.METADATA))


def workflow_json_in(dossier: Dossier) -> WorkflowJson | None:
    """Give what the JSON says; None where it was not had."""
    return cast("WorkflowJson | None", dossier.read.get(Layer.JSON))


def page_in(dossier: Dossier) -> ExplainerPage | None:
    """Give what the explainer page says; None where it was not had."""
    return cast("ExplainerPage | None", dossier.read.get(Layer.EXPLAINER))

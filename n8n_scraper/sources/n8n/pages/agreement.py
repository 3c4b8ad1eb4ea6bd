"""Say whether the answers of a template agree, before only the winning value of each is left."""

from __future__ import annotations

import marshal
from itertools import pairwise
from typing import Any

from n8n_scraper.core.dossier import Dossier
from n8n_scraper.sources.n8n.item import Agreement
from n8n_scraper.sources.n8n.pages import reading
from n8n_scraper.sources.n8n.pages.answers import metadata_in, page_in, workflow_json_in
from n8n_scraper.sources.n8n.pages.comparison import Comparison, same_words
from n8n_scraper.sources.n8n.pages.metadata import Metadata
from n8n_scraper.sources.n8n.pages.page import ExplainerPage
from n8n_scraper.sources.n8n.pages.workflow_json import WorkflowJson
from n8n_scraper.sources.n8n.rules.blacked_out import same


def agreement_of(dossier: Dossier, texts: Comparison | None) -> Agreement:
    """Compare what the answers say of the same thing; what only one of them says cannot differ."""
    return Agreement(
        same_id=_same_id(dossier),
        same_title=_same_title(dossier),
        same_workflow=_same_workflow(dossier),
        same_text=texts.agrees if texts else None,
    )


def _answers(dossier: Dossier) -> tuple[Metadata | WorkflowJson | ExplainerPage | None, ...]:
    return metadata_in(dossier), workflow_json_in(dossier), page_in(dossier)


def _same_id(dossier: Dossier) -> bool | None:
    """Every answer that can be read names the id; one that named another was refused."""
    if dossier.strangers:
        return False
    return True if any(_answers(dossier)) else None


def _same_title(dossier: Dossier) -> bool | None:
    titles = [answer.title for answer in _answers(dossier) if answer and answer.title]
    return same_words(titles) if len(titles) > 1 else None


def _same_workflow(dossier: Dossier) -> bool | None:
    """Compare nodes and wires; the rest differs from answer to answer, and imports nothing."""
    workflows = [answer.workflow for answer in _answers(dossier) if answer and answer.workflow]
    if len(workflows) < 2:
        return None
    return _are_same(list(map(_essence, workflows)))


def _are_same(all_of_them: list[list[Any]]) -> bool:
    """Identical in every byte, as they nearly always are, or the same when looked into."""
    written = {marshal.dumps(one, 2) for one in all_of_them}
    return len(written) == 1 or all(same(one, other) for one, other in pairwise(all_of_them))


def _essence(workflow: dict[str, Any]) -> list[Any]:
    nodes, wires = reading.listing(workflow.get("nodes")), workflow.get("connections")
    return [nodes, wires or {}]

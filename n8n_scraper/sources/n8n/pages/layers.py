"""Read a layer's answer into the dossier it belongs to."""

from __future__ import annotations

from n8n_scraper.core.dossier import Answer, Dossier
from n8n_scraper.core.errors import UnreadableAnswer, WrongTemplate
from n8n_scraper.policies.failure.category import NOT_THERE, classify
from n8n_scraper.sources.n8n.item import Layer, LayerStatus
from n8n_scraper.sources.n8n.pages.metadata import read_metadata
from n8n_scraper.sources.n8n.pages.page import read_page
from n8n_scraper.sources.n8n.pages.workflow_json import read_workflow_json


def settle(dossier: Dossier, answer: Answer) -> None:
    """Read an answer, and settle its layer by whether it can be read."""
    try:
        read_into(dossier, answer)
    except UnreadableAnswer as error:
        category = classify(exception=error)
        status = LayerStatus.MISSING if category in NOT_THERE else LayerStatus.FAILED
        dossier.settle(answer.layer, status, str(error), category, answer.http_status)
    else:
        dossier.settle(answer.layer, LayerStatus.OK, http_status=answer.http_status)


def read_into(dossier: Dossier, answer: Answer) -> None:
    """Keep the answer, and what can be read in it; raises UnreadableAnswer when it is nothing."""
    dossier.answers[answer.layer] = answer
    dossier.strangers.discard(answer.layer)
    try:
        _read(dossier, answer)
    except WrongTemplate:
        dossier.strangers.add(answer.layer)
        raise


def _read(dossier: Dossier, answer: Answer) -> None:
    asked = dossier.workflow_id
    match answer.layer:
        case Layer.METADATA:
            dossier.metadata = read_metadata(answer.body, asked=asked)
        case Layer.JSON:
            dossier.workflow_json = read_workflow_json(answer.body, asked=asked)
        case Layer.EXPLAINER:
            known = dossier.metadata is not None and dossier.metadata.description is not None
            dossier.page = read_page(
                answer.body, asked=asked, url=answer.url, with_markdown=not known
            )

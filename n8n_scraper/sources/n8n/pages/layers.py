"""Read a layer's answer into the dossier it belongs to."""

from __future__ import annotations

from n8n_scraper.core.dossier import Answer, Dossier
from n8n_scraper.core.errors import UnreadableAnswer, WrongItem
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.policies.failure.category import NOT_THERE, classify
from n8n_scraper.sources.n8n.pages.answers import metadata_in
from n8n_scraper.sources.n8n.pages.metadata import read_metadata
from n8n_scraper.sources.n8n.pages.page import read_page
from n8n_scraper.sources.n8n.pages.workflow_json import read_workflow_json
from n8n_scraper.sources.n8n.parts import Layer


def settle(dossier: Dossier, answer: Answer) -> None:
    """Read an answer, and settle its layer by whether it can be read."""
    try:
        read_into(dossier, answer)
    except UnreadableAnswer as error:
        category = classify(exception=error)
        status = PartStatus.MISSING if category in NOT_THERE else PartStatus.FAILED
        dossier.settle(answer.part, status, str(error), category, answer.http_status)
    else:
        dossier.settle(answer.part, PartStatus.OK, http_status=answer.http_status)


def read_into(dossier: Dossier, answer: Answer) -> None:
    """Keep the answer, and what can be read in it; raises UnreadableAnswer when it is nothing."""
    dossier.answers[answer.part] = answer
    dossier.strangers.discard(answer.part)
    try:
        _read(dossier, answer)
    except WrongItem:
        dossier.strangers.add(answer.part)
        raise


def _read(dossier: Dossier, answer: Answer) -> None:
    asked = dossier.item_id
    match answer.part:
        case Layer.METADATA:
            dossier.read[Layer.METADATA] = read_metadata(answer.body, asked=asked)
        case Layer.JSON:
            dossier.read[Layer.JSON] = read_workflow_json(answer.body, asked=asked)
        case Layer.EXPLAINER:
            metadata = metadata_in(dossier)
            known = metadata is not None and metadata.description is not None
            dossier.read[Layer.EXPLAINER] = read_page(
                answer.body, asked=asked, url=answer.url, with_markdown=not known
            )

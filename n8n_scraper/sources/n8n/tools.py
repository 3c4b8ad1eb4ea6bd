"""What an assistant can ask of templates alone."""

from __future__ import annotations

import json

from n8n_scraper.assistants.pieces import piece
from n8n_scraper.assistants.tool import Arguments, Json, Tool
from n8n_scraper.assistants.tools import Id, Start
from n8n_scraper.core.errors import BadInput
from n8n_scraper.ledger.database import Database
from n8n_scraper.sources.n8n.importable import importable_of
from n8n_scraper.sources.n8n.source import SOURCE


class OfTemplate(Arguments, kw_only=True):
    """The workflow of a template."""

    id: Id
    start: Start = 0


def workflow(database: Database, asked: OfTemplate) -> Json:
    """Give the workflow as n8n imports it."""
    found = importable_of(database, SOURCE, asked.id)
    if found is None:
        raise BadInput(f"the archive has no workflow of template {asked.id!r}.")
    return piece(json.dumps(found, ensure_ascii=False, indent=1), asked.start)


TOOLS = (
    Tool(
        "get_workflow",
        "Give the workflow of a template as JSON that n8n imports. A long one comes in pieces: put "
        "their `text` together, from the one at 0 to the one without a `next_start`.",
        OfTemplate,
        workflow,
    ),
)

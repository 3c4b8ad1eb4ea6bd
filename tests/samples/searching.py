"""An index of recorded templates: those with a whole answer, and those of recorded searches."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.errors import UnreadableAnswer
from n8n_scraper.core.item import PartStatus
from n8n_scraper.ledger.database import Database
from n8n_scraper.search import index
from n8n_scraper.search.entry import entry_of
from n8n_scraper.sources import source_of
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.pages import read_metadata
from n8n_scraper.sources.n8n.parts import Layer
from tests.conftest import SAMPLES
from tests.samples.answers import AT, read_detail, template_of

SOURCE = source_of("n8n")
Record = dict[str, Any]


def recorded_pages() -> list[list[Record]]:
    """The recorded pages of searches, each in n8n.io's own order."""
    files = sorted((SAMPLES / "api-search").glob("*.workflows.json"))
    return [json.loads(file.read_text("utf-8")) for file in files]


def recorded_templates() -> dict[str, Record]:
    """Every template of which words are recorded, as its row, by its id."""
    found = {}
    for file in sorted((SAMPLES / "api-detail").glob("[0-9]*.json")):
        try:
            found[file.stem] = _row(template_of(read_detail(file)))
        except UnreadableAnswer:
            continue
    for page in recorded_pages():
        for listed in page:
            found.setdefault(str(listed["id"]), _row(template_of(_as_detail(listed))))
    return found


def fill(database: Database, rows: Iterator[Record] | list[Record]) -> None:
    """Index templates, as storing them does."""
    entries = [entry for row in rows if (entry := entry_of(SOURCE, row))]
    database.do(lambda session: index.put(session, SOURCE, entries))


def _row(template: Template) -> Record:
    return SOURCE.kind().row(template)


def _as_detail(listed: Record) -> Dossier:
    """Read an item of a search as the metadata of a template, its nodes as those of a workflow."""
    nodes = [
        {"name": node["displayName"], "type": node["name"], "position": [0, 0]}
        for node in listed.get("nodes", [])
    ]
    detail = {**listed, "workflow": {"nodes": nodes, "connections": {}}, "image": []}
    del detail["nodes"]
    item_id = str(listed["id"])
    body = json.dumps({"workflow": {"categories": [], **detail}}).encode()
    dossier = Dossier(Planned(item_id), started=0.0)
    for layer in Layer:
        dossier.settle(layer, PartStatus.SKIPPED, "not recorded")
    dossier.read[Layer.METADATA] = read_metadata(body, asked=item_id)
    dossier.answers[Layer.METADATA] = Answer(
        Layer.METADATA, f"https://api.n8n.io/{item_id}", 200, body, AT
    )
    dossier.settle(Layer.METADATA, PartStatus.OK, http_status=200)
    return dossier


def golden() -> list[Record]:
    """What people would look for, and what they would expect."""
    file = Path(__file__).parents[1] / "golden" / "searches.json"
    asked: list[Record] = json.loads(file.read_text("utf-8"))
    return asked

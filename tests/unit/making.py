"""Make the things that several tests need, as small as they can be."""

import json
import time

from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.item import PartStatus
from n8n_scraper.core.source import Provenance
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.pages import read_metadata, read_workflow_json
from n8n_scraper.sources.n8n.pages.template import assemble
from n8n_scraper.sources.n8n.parts import Layer

WORKFLOW = {
    "nodes": [
        {
            "name": "Start",
            "type": "n8n-nodes-base.manualTrigger",
            "position": [0, 0],
            "parameters": {},
        },
        {
            "name": "Ask",
            "type": "n8n-nodes-base.httpRequest",
            "position": [200, 0],
            "parameters": {"url": "https://example.org"},
        },
    ],
    "connections": {"Start": {"main": [[{"node": "Ask", "type": "main", "index": 0}]]}},
}
DESCRIPTION = (
    "Asks an address.\n\n## How it works\n\nIt asks, and that is it. "
    + "It needs no words, but here are some more of them so that the text has a length. " * 3
)


def metadata_answer(workflow_id: str = "7", **changes: object) -> bytes:
    """The answer of the metadata endpoint for a small, whole template."""
    detail = {
        "id": int(workflow_id),
        "name": "Ask an address",
        "totalViews": 12,
        "recentViews": 1,
        "createdAt": "2026-01-02T03:04:05.678Z",
        "description": DESCRIPTION,
        "workflow": WORKFLOW,
        "user": {"name": "Ada", "username": "ada", "bio": None, "verified": True, "links": []},
        "categories": [{"id": 5, "name": "Engineering"}],
        "image": [],
    }
    return json.dumps({"workflow": detail | changes}).encode()


def json_answer(workflow_id: str = "7") -> bytes:
    """The answer of the JSON endpoint for the same template."""
    answer = {"id": int(workflow_id), "name": "Ask an address", "workflow": WORKFLOW}
    return json.dumps(answer).encode()


def dossier(workflow_id: str = "7", **changes: object) -> Dossier:
    """The dossier of a template whose metadata and JSON have come."""
    made = Dossier(
        Planned(workflow_id, listing={"slug": "ask-an-address"}), started=time.monotonic()
    )
    body = metadata_answer(workflow_id, **changes)
    made.read[Layer.METADATA] = read_metadata(body, asked=workflow_id)
    made.read[Layer.JSON] = read_workflow_json(json_answer(workflow_id), asked=workflow_id)
    for layer, answer in ((Layer.METADATA, body), (Layer.JSON, json_answer(workflow_id))):
        made.settle(layer, PartStatus.OK, http_status=200)
        made.answers[layer] = Answer(layer, "http://x/", 200, answer, "2026-01-01T00:00:00Z")
    made.settle(Layer.EXPLAINER, PartStatus.SKIPPED, "not needed")
    return made


def template(workflow_id: str = "7", run_id: str = "run", **changes: object) -> Template:
    """The item of that dossier."""
    provenance = Provenance("https://n8n.io", run_id, "2026-01-01T00:00:00.000Z", 0.5)
    return assemble(dossier(workflow_id, **changes), provenance)

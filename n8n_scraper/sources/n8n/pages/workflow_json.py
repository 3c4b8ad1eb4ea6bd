"""Read the JSON answer: `GET {api}/api/workflows/templates/{id}`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from n8n_scraper.core.errors import BadContent, WrongItem
from n8n_scraper.sources.n8n.pages import reading
from n8n_scraper.sources.n8n.pages.metadata import read_workflow
from n8n_scraper.sources.n8n.source import SOURCE


@dataclass(frozen=True, slots=True)
class WorkflowJson:
    """The importable workflow under the template's name."""

    workflow_id: str
    title: str | None
    workflow: dict[str, Any] | None


def read_workflow_json(body: bytes, *, asked: str) -> WorkflowJson:
    """Turn the JSON answer into typed data; it must belong to the id that was asked."""
    answer = reading.load_object(body)
    found = reading.identity(answer.get("id"))
    if found is None:
        raise BadContent("a JSON answer without an id")
    if found != asked:
        raise WrongItem(SOURCE.noun, asked, found)
    return WorkflowJson(
        workflow_id=found,
        title=reading.filled(answer.get("name")),
        workflow=read_workflow(answer.get("workflow")),
    )

"""Write a template out as the database takes it: pure work, so that it can be done anywhere."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from n8n_scraper.core.dossier import Answer
from n8n_scraper.ledger.packing import JsonText, pack, pack_json
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.rules.change import content_of


@dataclass(frozen=True, slots=True)
class Written:
    """A template's row with its JSON written out, its answers packed, and its first version."""

    row: dict[str, Any]
    answers: list[dict[str, Any]]
    content: bytes


def write_down(template: Template, answers: Iterable[Answer]) -> Written:
    """Write out all that storing a template takes."""
    record = record_of(template)
    row = {name: _as_column(value) for name, value in record.items()}
    rows = [_answer_row(template, answer) for answer in answers]
    return Written(row, rows, pack_json(content_of(record)))


def record_of(template: Template) -> dict[str, Any]:
    """Give a template as its row has it."""
    quality = template.quality
    return template.model_dump(mode="json") | {
        "quality_score": quality.score if quality else None,
        "quality_grade": quality.grade if quality else None,
    }


def _as_column(value: Any) -> Any:
    return JsonText(json.dumps(value)) if isinstance(value, dict | list) else value


def _answer_row(template: Template, answer: Answer) -> dict[str, Any]:
    return {
        "source": "n8n",
        "item_id": template.workflow_id,
        "part": answer.part,
        "url": answer.url,
        "http_status": answer.http_status,
        "fetched_at": answer.fetched_at,
        "body": pack(answer.body),
        "body_bytes": len(answer.body),
        "body_sha256": hashlib.sha256(answer.body).hexdigest(),
        "run_id": template.run_id,
    }

"""Templates in and out of the database."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import cast

from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import Answer, Written
from n8n_scraper.records import items
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.source import SOURCE


def save(
    session: Session,
    template: Template,
    answers: Collection[Answer],
    written: Written | None = None,
) -> Template:
    """Store a template, its raw answers and its history, and give it back as it is stored."""
    return items.save(session, SOURCE, template, answers, written)


def load(session: Session, workflow_id: str) -> Template | None:
    """Give a stored template back as the item it was."""
    return cast(Template | None, items.load(session, SOURCE, workflow_id))


def load_all(session: Session) -> Iterator[Template]:
    """Give every stored template, one at a time, by id."""
    return cast(Iterator[Template], items.load_all(session, SOURCE))


def raw_answer(session: Session, workflow_id: str, layer: str) -> bytes | None:
    """Give the latest answer of a layer exactly as it came."""
    answer = items.raw_answers(session, SOURCE, workflow_id).get(layer)
    return answer.body if answer else None

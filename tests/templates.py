"""Put templates into a database, and take them out again."""

from collections.abc import Collection, Iterator

from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import Answer, Written
from n8n_scraper.records import items
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.source import SOURCE
from tests import storing


def save(
    session: Session,
    template: Template,
    answers: Collection[Answer],
    written: Written | None = None,
) -> Template:
    return storing.save(session, SOURCE, template, answers, written)


def load(session: Session, workflow_id: str) -> Template | None:
    return items.load(session, SOURCE, workflow_id)


def load_all(session: Session) -> Iterator[Template]:
    return items.load_all(session, SOURCE)


def raw_answer(session: Session, workflow_id: str, layer: str) -> bytes | None:
    answer = items.raw_answers(session, SOURCE, workflow_id).get(layer)
    return answer.body if answer else None

"""Templates in and out of the database."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from sqlalchemy import Executable, Table, inspect, select
from sqlalchemy.orm import Session

from n8n_scraper.dossier import Answer
from n8n_scraper.items import Template
from n8n_scraper.policies.computed import compute_again
from n8n_scraper.policies.kept_content import keep_what_is_shown
from n8n_scraper.storage import history
from n8n_scraper.storage.ledger import insert_into
from n8n_scraper.storage.models import Base, RawAnswerRow, WorkflowRow


def save(session: Session, template: Template, answers: Iterable[Answer]) -> None:
    """Store a template, its raw answers and its history; storing it again replaces what was there.

    An older value whose layer was not asked this time stays, in the template given as well, and
    what is computed follows from both.
    """
    before = _before(session, template.workflow_id)
    if before:
        _complete(template, before)
    row = _workflow_row(template)
    _upsert(session, WorkflowRow, row)
    for answer in answers:
        _upsert(session, RawAnswerRow, _answer_row(template, answer))
    history.record(session, before, row)


def load(session: Session, workflow_id: str) -> Template | None:
    """Give a stored template back as the item it was."""
    row = session.get(WorkflowRow, workflow_id)
    return _template(row) if row else None


def load_all(session: Session) -> Iterator[Template]:
    """Give every stored template, one at a time, by id."""
    rows = session.scalars(select(WorkflowRow).order_by(WorkflowRow.workflow_id))
    return (_template(row) for row in rows.yield_per(100))


def raw_answer(session: Session, workflow_id: str, layer: str) -> bytes | None:
    """Give the latest answer of a layer exactly as it came."""
    row = session.get(RawAnswerRow, (workflow_id, layer))
    return zlib.decompress(row.body) if row else None


def _complete(template: Template, before: dict[str, Any]) -> None:
    """Keep what was not asked; a score or a fingerprint of the new part alone would be wrong."""
    as_it_came = template.model_copy()
    history.keep_what_was_not_asked(before, template)
    keep_what_is_shown(before, as_it_came, template)
    if template != as_it_came:
        # Who does not want secrets to be looked for is not asked a second time.
        reason = as_it_came.unobserved.get("secrets", "")
        compute_again(template, look_for_secrets=not reason.startswith("not looked for"))


def _before(session: Session, workflow_id: str) -> dict[str, Any] | None:
    """Give the row as it is, without asking whether this version would write it so."""
    table = Base.metadata.tables[WorkflowRow.__tablename__]
    query = select(table).where(table.c.workflow_id == workflow_id).with_for_update()
    row = session.execute(query).mappings().first()
    return dict(row) if row else None


def _upsert(session: Session, model: type[Base], values: dict[str, Any]) -> None:
    table = Base.metadata.tables[model.__tablename__]
    dialect = session.get_bind().dialect.name
    session.execute(_upsert_into(table, dialect, tuple(values)), values)


@cache
def _upsert_into(table: Table, dialect: str, names: tuple[str, ...]) -> Executable:
    """Build the statement once: that takes longer than SQLite needs to carry it out."""
    key = [column.name for column in table.primary_key]
    statement = insert_into(table, dialect)
    changed = {name: statement.excluded[name] for name in names if name not in key}
    update: Executable = statement.on_conflict_do_update(index_elements=key, set_=changed)
    return update


def _workflow_row(template: Template) -> dict[str, Any]:
    values = template.model_dump(mode="json")
    quality = template.quality
    return values | {
        "quality_score": quality.score if quality else None,
        "quality_grade": quality.grade if quality else None,
        "removed_at": None,  # the site has just given it
    }


def _answer_row(template: Template, answer: Answer) -> dict[str, Any]:
    return {
        "workflow_id": template.workflow_id,
        "layer": answer.layer,
        "url": answer.url,
        "http_status": answer.http_status,
        "fetched_at": answer.fetched_at,
        "body": zlib.compress(answer.body),
        "body_bytes": len(answer.body),
        "body_sha256": hashlib.sha256(answer.body).hexdigest(),
        "run_id": template.run_id,
    }


def _template(row: WorkflowRow) -> Template:
    columns = inspect(WorkflowRow).columns.keys()
    values = {name: getattr(row, name) for name in columns if name in Template.model_fields}
    return Template.model_validate(values)

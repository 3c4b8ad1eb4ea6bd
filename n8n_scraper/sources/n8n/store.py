"""Templates in and out of the database."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from sqlalchemy import bindparam, inspect, select
from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import Answer
from n8n_scraper.ledger.packing import unpack
from n8n_scraper.ledger.statements import put, run
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.records import history
from n8n_scraper.records.tables import RawAnswerRow
from n8n_scraper.records.written import Written, record_of, write_down
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.rules.carry_over import carry_over
from n8n_scraper.sources.n8n.tables import WorkflowRow

_WORKFLOWS, _RAW_ANSWERS = table_of(WorkflowRow), table_of(RawAnswerRow)
_BEFORE = select(_WORKFLOWS).where(_WORKFLOWS.c.workflow_id == bindparam("of_id")).with_for_update()


def save(
    session: Session,
    template: Template,
    answers: Collection[Answer],
    written: Written | None = None,
) -> Template:
    """Store a template, its raw answers and its history, and give it back as it is stored.

    Storing it again replaces what was there. An older value whose layer was not asked this time
    stays, and what is computed follows from both. The template may be written out beforehand; the
    one given stays as it is, so that a transaction that is repeated begins with the same.
    """
    before = _before(session, template.workflow_id)
    whole = template if before is None else carry_over(before, template)
    if written is None or whole is not template:
        written = write_down(whole, answers)
    put(session, _WORKFLOWS, [written.row])
    if written.answers:
        put(session, _RAW_ANSWERS, written.answers)
    if before is None:
        history.record_new(session, written)
    else:
        history.record(session, before, record_of(whole))
    return whole


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
    row = session.get(RawAnswerRow, ("n8n", workflow_id, layer))
    return unpack(row.body) if row else None


def _before(session: Session, workflow_id: str) -> dict[str, Any] | None:
    """Give the row as it is, without asking whether this version would write it so."""
    row = run(session, _BEFORE, {"of_id": workflow_id}).mappings().first()
    return dict(row) if row else None


def _template(row: WorkflowRow) -> Template:
    columns = inspect(WorkflowRow).columns.keys()
    values = {name: getattr(row, name) for name in columns if name in Template.model_fields}
    return Template.model_validate(values)

"""Templates in and out of both databases."""

import json

from sqlalchemy import func, select

from n8n_scraper.items import Template
from n8n_scraper.policies.quality import score
from n8n_scraper.storage import templates
from n8n_scraper.storage.database import Database
from n8n_scraper.storage.models import RawAnswerRow, WorkflowRow
from tests.unit.making import dossier, metadata_answer, template


def save(database: Database, item: Template, answers: list = ()) -> None:
    database.do(lambda session: templates.save(session, item, answers))


def load(database: Database, workflow_id: str) -> Template | None:
    return database.do(lambda session: templates.load(session, workflow_id))


def test_every_field_of_the_contract_is_a_column() -> None:
    columns = set(WorkflowRow.__table__.columns.keys())

    assert set(Template.model_fields) <= columns
    beside = {"quality_score", "quality_grade", "removed_at"}
    assert columns - set(Template.model_fields) == beside


def test_what_is_stored_comes_back_as_it_was(database: Database) -> None:
    item = template()
    item.observe("quality", score(item), "computed")

    save(database, item)

    assert load(database, "7") == item


def test_a_template_that_was_never_stored_is_none(database: Database) -> None:
    assert load(database, "404") is None


def test_storing_again_replaces_and_adds_nothing(database: Database) -> None:
    save(database, template(), list(dossier().answers.values()))

    save(database, template(name="A new title"), list(dossier().answers.values()))

    assert load(database, "7").title == "A new title"
    count = lambda model: database.do(  # noqa: E731
        lambda session: session.scalar(select(func.count()).select_from(model))
    )
    assert (count(WorkflowRow), count(RawAnswerRow)) == (1, 2)


def test_raw_answers_are_kept_to_the_byte(database: Database) -> None:
    save(database, template(), list(dossier().answers.values()))

    raw = database.do(lambda session: templates.raw_answer(session, "7", "metadata"))

    assert raw == metadata_answer()
    assert database.do(lambda session: templates.raw_answer(session, "7", "explainer")) is None


def test_a_workflow_keeps_its_order_of_keys(database: Database) -> None:
    odd = {"nodes": [{"zeta": 1, "alpha": 2}], "connections": {}, "b": 1, "a": {"y": 0, "x": 0}}
    item = template()
    item.workflow = odd

    save(database, item)

    assert json.dumps(load(database, "7").workflow) == json.dumps(odd)


def test_text_that_no_database_takes_is_stored_all_the_same(database: Database) -> None:
    # Given characters that PostgreSQL or UTF-8 refuse, in a column and inside the workflow
    item = template(name="A \ud800 half, a \x00 zero")
    item.workflow = {"nodes": [{"name": "\x00 \ud800", "type": "t"}], "connections": {}}

    save(database, item)

    loaded = load(database, "7")
    assert loaded.title == "A � half, a � zero"
    assert loaded.workflow == item.workflow


def test_all_templates_come_one_by_one_in_the_order_of_their_ids(database: Database) -> None:
    for number in ("30", "10", "20"):
        save(database, template(number))

    ids = database.do(lambda session: [one.workflow_id for one in templates.load_all(session)])

    assert ids == ["10", "20", "30"]

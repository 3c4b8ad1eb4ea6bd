"""An export holds what the database holds: every field of every template, to the letter."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import NoneType
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from n8n_scraper.core.errors import BadInput
from n8n_scraper.exports import read_jsonl, read_parquet
from n8n_scraper.exports.exporting import STDOUT, Exported, Order, export
from n8n_scraper.exports.filters import read_filters
from n8n_scraper.exports.formats import formats_of
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.safety.finding import SecretFinding
from n8n_scraper.records.choosing import Snapshot
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.source import SOURCE
from tests import templates
from tests.unit.exports.given import NASTY_TITLES, filled, hollow, template
from tests.unit.exports.reading_back import Row, as_lines, differences, with_duckdb, with_pyarrow

NOW = "2026-02-01T00:00:00.000Z"
EVERYTHING = [
    filled(workflow_id="1"),
    hollow(workflow_id="2"),
    template("3"),  # nothing observed at all
    template("4", categories=[], notes=[], node_types={}, workflow={}),  # empty is not null
    *(
        template(str(number), title=text, description=text, unobserved={text: text})
        for number, text in enumerate(NASTY_TITLES, 5)
    ),
]


@pytest.fixture
def kept(database: Database) -> list[Template]:
    """Templates with everything that there can be, as each kind of database gives them back."""
    for one in EVERYTHING:
        database.do(lambda session, one=one: templates.save(session, one, ()))
    found = database.do(lambda session: list(templates.load_all(session)))
    return sorted(found, key=lambda one: int(one.workflow_id))


def exported(
    database: Database, form: str, target: Path, *, redaction: str = "report", **filters: Any
) -> Exported:
    wanted = read_filters(filters, NOW, SOURCE)
    order = Order(SOURCE, form, formats_of(SOURCE)[form], target, wanted, {}, redaction)
    return database.look(lambda session: export(Snapshot(session, SOURCE), order))


def test_every_field_is_filled_somewhere_and_null_somewhere() -> None:
    # Given what the exports below are tried with
    seen = defaultdict(set)
    for one in EVERYTHING:
        for field, is_null in _fields(one):
            seen[field].add(is_null)

    # Then each field has a value somewhere, inside the parts too, and is null where it may be
    for (model, name), states in seen.items():
        may_be_null = NoneType in get_args(model.model_fields[name].annotation)
        assert states == ({True, False} if may_be_null else {False}), (model, name)
    assert {name for model, name in seen if model is Template} == set(Template.model_fields)


def _fields(value: Any) -> Iterator[tuple[tuple[type[BaseModel], str], bool]]:
    if isinstance(value, BaseModel):
        for name, one in dict(value).items():
            yield (type(value), name), one is None
            yield from _fields(one)
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _fields(one)


@pytest.mark.parametrize("read", [with_pyarrow, with_duckdb])
def test_every_column_of_every_row_in_parquet_is_what_the_database_has(
    database: Database, kept: list[Template], tmp_path: Path, read: Callable[[Path], list[Row]]
) -> None:
    exported(database, "parquet", tmp_path / "x.parquet")

    assert differences(read(tmp_path / "x.parquet"), kept) == []


def test_every_field_of_every_line_in_json_lines_is_what_the_database_has(
    database: Database, kept: list[Template], tmp_path: Path
) -> None:
    exported(database, "jsonl", tmp_path / "x.jsonl")

    assert differences(as_lines(tmp_path / "x.jsonl"), kept) == []


@pytest.mark.parametrize(("form", "read"), [("jsonl", read_jsonl), ("parquet", read_parquet)])
def test_reading_back_gives_the_templates_of_the_database(
    database: Database,
    kept: list[Template],
    tmp_path: Path,
    form: str,
    read: Callable[[Path], Iterator[Template]],
) -> None:
    exported(database, form, tmp_path / "x")

    assert list(read(tmp_path / "x")) == kept


def test_it_is_told_how_many_go_out_with_a_secret_in_them(
    database: Database, tmp_path: Path
) -> None:
    found = [SecretFinding(kind="email", place="description", count=1)]
    for one in (template("1", secrets=found, description="ada@acme.io"), template("2", secrets=[])):
        database.do(lambda session, one=one: templates.save(session, one, ()))

    as_it_is = exported(database, "jsonl", tmp_path / "x.jsonl")
    without = exported(database, "jsonl", tmp_path / "y.jsonl", redaction="replace")

    assert as_it_is.counts == {"templates_with_secrets": 1}
    assert without.counts == {}
    assert exported(database, "jsonl", STDOUT).counts == as_it_is.counts
    assert "ada@acme.io" not in (tmp_path / "y.jsonl").read_text()


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        ({"category": ("Salez",)}, r"--category 'Salez': no stored template has it; is it Sales\?"),
        ({"node": ("slak",)}, r"--node 'slak': .* is it n8n-nodes-base\.slack\?"),
        ({"author": ("nobody at all",)}, "no stored template has it[.]$"),
    ],
)
def test_a_name_that_no_template_has_is_refused_with_what_is_near_it(
    database: Database, tmp_path: Path, filters: dict[str, Any], words: str
) -> None:
    one = template("1", categories=["Sales"], node_types={"n8n-nodes-base.slack": 1})
    database.do(lambda session: templates.save(session, one, ()))

    with pytest.raises(BadInput, match=words):
        exported(database, "jsonl", tmp_path / "x.jsonl", **filters)

    assert not (tmp_path / "x.jsonl").exists()


def test_names_that_there_are_but_not_together_make_an_empty_export(
    database: Database, tmp_path: Path
) -> None:
    one = template("1", categories=["Sales"])
    database.do(lambda session: templates.save(session, one, ()))

    assert exported(database, "jsonl", tmp_path / "x", category=("Sales",), ids="2").items == 0

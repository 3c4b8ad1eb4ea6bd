import io
import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from n8n_scraper.core.errors import BadInput
from n8n_scraper.exports import json_formats, read_jsonl, read_parquet
from n8n_scraper.exports.parquet import ParquetItemExporter
from n8n_scraper.exports.writer import ItemWriter
from n8n_scraper.sources.n8n.item import Author, Template
from n8n_scraper.sources.n8n.source import SOURCE
from tests.thoroughness import at_length
from tests.unit.exports.given import anyhow, template

SLOWLY = settings(
    max_examples=at_length(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def written(path: Path, exporter: Any, templates: list[Template]) -> Path:
    with ItemWriter(path, exporter) as writer:
        for one in templates:
            writer.write(one)
        writer.finish()
    return path


@SLOWLY
@given(st.lists(anyhow, max_size=4))
def test_any_templates_come_back_from_json_lines_and_from_parquet(
    tmp_path: Path, templates: list[Template]
) -> None:
    lines = written(tmp_path / "x.jsonl", json_formats.LinesExporter, templates)
    rows = written(tmp_path / "x.parquet", ParquetItemExporter, templates)

    assert list(read_jsonl(lines)) == templates
    assert list(read_parquet(rows)) == templates


def test_a_template_of_nothing_but_nulls_comes_back(tmp_path: Path) -> None:
    bare = template()

    lines = written(tmp_path / "x.jsonl", json_formats.LinesExporter, [bare])
    rows = written(tmp_path / "x.parquet", ParquetItemExporter, [bare])

    assert list(read_jsonl(lines)) == list(read_parquet(rows)) == [bare]


def test_null_and_empty_stay_apart(tmp_path: Path) -> None:
    both = [
        template("1", categories=[], node_types={}, author=Author()),
        template("2", categories=None, node_types=None, author=None),
    ]

    path = written(tmp_path / "x.parquet", ParquetItemExporter, both)

    assert list(read_parquet(path)) == both


def test_no_templates_make_a_valid_file_of_each_kind(tmp_path: Path) -> None:
    lines = written(tmp_path / "x.jsonl", json_formats.LinesExporter, [])
    rows = written(tmp_path / "x.parquet", partial(ParquetItemExporter, source=SOURCE), [])

    assert list(read_jsonl(lines)) == list(read_parquet(rows)) == []
    names = pq.read_schema(rows).names
    assert [one for one in names if not one.endswith("_time")] == [
        one for one in Template.model_fields if not one.endswith("_time")
    ]


def test_without_a_row_and_a_source_a_file_has_no_column_and_can_be_read(tmp_path: Path) -> None:
    rows = written(tmp_path / "x.parquet", ParquetItemExporter, [])

    assert (pq.read_schema(rows).names, pq.read_table(rows).num_rows) == ([], 0)


def test_a_huge_workflow_comes_back_and_ends_a_row_group(tmp_path: Path) -> None:
    huge = {"nodes": [{"name": f"n{number}", "x": "y" * 1_000} for number in range(9_000)]}
    templates = [template(str(number), workflow=huge) for number in range(1, 5)]

    path = written(tmp_path / "x.parquet", ParquetItemExporter, templates)

    assert pq.ParquetFile(path).num_row_groups == 2
    assert list(read_parquet(path)) == templates


def test_the_workflow_keeps_the_order_of_its_keys(tmp_path: Path) -> None:
    workflow = {"z": 1, "nodes": [], "a": {"y": 1, "b": 2}}

    path = written(tmp_path / "x.parquet", ParquetItemExporter, [template(workflow=workflow)])

    assert pq.read_table(path)["workflow"].to_pylist() == [json.dumps(workflow).replace(" ", "")]


def test_typed_columns_can_be_asked_in_sql(tmp_path: Path) -> None:
    one = template(
        categories=["AI"], node_types={"n8n-nodes-base.set": 2}, author=Author(name="Ada")
    )
    path = written(tmp_path / "x.parquet", ParquetItemExporter, [one])

    found = duckdb.read_parquet(str(path)).select(
        "categories[1], map_from_entries(node_types)['n8n-nodes-base.set'], author.name, "
        "map_from_entries(layers)['json'].status"
    )

    assert found.fetchall() == [("AI", 2, "Ada", "ok")]


def test_the_maps_of_an_earlier_version_are_read_as_well(tmp_path: Path) -> None:
    one = template(node_types={"n8n-nodes-base.set": 2})
    path = written(tmp_path / "x.parquet", ParquetItemExporter, [one])
    table = pq.read_table(path)
    maps = pa.array([[("n8n-nodes-base.set", 2)]], pa.map_(pa.string(), pa.int64()))
    place = table.schema.get_field_index("node_types")
    pq.write_table(table.set_column(place, "node_types", maps), path)

    assert list(read_parquet(path)) == [one]


def test_a_number_beyond_the_column_is_told_by_its_template(tmp_path: Path) -> None:
    beyond = template("8", views=2**70)

    with pytest.raises(BadInput, match="template 8 does not fit"):
        written(tmp_path / "x.parquet", ParquetItemExporter, [template("7"), beyond])


def test_a_parquet_file_cannot_be_appended_to() -> None:
    file = io.BytesIO(b"PAR1")
    file.seek(0, io.SEEK_END)

    with pytest.raises(BadInput, match="-O instead of -o"):
        ParquetItemExporter(file)


def test_a_feed_may_choose_its_columns() -> None:
    file = io.BytesIO()
    exporter = ParquetItemExporter(file, fields_to_export=["workflow_id", "title"])

    exporter.start_exporting()
    exporter.export_item(template(title="A title"))
    exporter.finish_exporting()

    assert pq.read_table(file).to_pylist() == [{"workflow_id": "7", "title": "A title"}]


def test_one_document_holds_the_manifest_and_the_templates() -> None:
    templates = [template("1", title="Ünï"), template("2")]
    file = io.BytesIO()
    exporter = json_formats.DocumentExporter(file, {"counts": {"templates": 2}}, "templates")

    exporter.start_exporting()
    for one in templates:
        exporter.export_item(one)
    exporter.finish_exporting()

    document = json.loads(file.getvalue())
    assert list(document) == ["manifest", "templates"]
    assert document["manifest"] == {"counts": {"templates": 2}}
    assert [Template.model_validate(one) for one in document["templates"]] == templates


@dataclass
class Quote:
    text: str
    tags: list[str]


class Venue(BaseModel):
    name: str
    seats: int | None = None


def exported(path: Path, items: list[Any], **options: Any) -> list[dict[str, Any]]:
    written(path, lambda file: ParquetItemExporter(file, **options), items)
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


def test_items_of_another_spider_are_rows_with_columns_of_their_own(tmp_path: Path) -> None:
    kinds: dict[str, list[Any]] = {
        "dict": [{"text": "a"}, {"text": "b", "year": 1999}],
        "dataclass": [Quote("a", ["x", "y"])],
        "model": [Venue(name="hall", seats=7), Venue(name="park")],
    }

    came = {kind: exported(tmp_path / kind, items) for kind, items in kinds.items()}

    assert came["dict"] == [{"text": "a", "year": None}, {"text": "b", "year": 1999}]
    assert came["dataclass"] == [{"text": "a", "tags": ["x", "y"]}]
    assert came["model"] == [{"name": "hall", "seats": 7}, {"name": "park", "seats": None}]


def test_only_the_fields_that_are_wanted_of_such_an_item_are_columns(tmp_path: Path) -> None:
    items = [{"text": "a", "year": 1999}]

    rows = exported(tmp_path / "x.parquet", items, fields_to_export=["year"])

    assert rows == [{"year": 1999}]


def test_columns_are_settled_by_the_first_row_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("n8n_scraper.exports.parquet._ROWS_IN_A_GROUP", 1)
    begun = {"text": "a", "by": None}

    assert exported(tmp_path / "x", [begun, {"by": "b"}])[1] == {"text": None, "by": "b"}
    with pytest.raises(BadInput, match="no row before had year"):
        exported(tmp_path / "y", [begun, {"text": "b", "year": 1999}])
    with pytest.raises(BadInput, match=r"'text': 7\D.* does not fit the columns"):
        exported(tmp_path / "z", [begun, {"text": 7}])

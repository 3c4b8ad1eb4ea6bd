import csv
import io
import json

import pytest
from hypothesis import given

from n8n_scraper.exports.safe_csv import SafeCsvItemExporter, harmless
from n8n_scraper.sources.n8n.item import Template
from tests.unit.exports.given import NASTY_TITLES, template, texts


def table(*templates: Template, **options: bool) -> tuple[bytes, list[dict[str, str]]]:
    file = io.BytesIO()
    exporter = SafeCsvItemExporter(file, **options)
    exporter.start_exporting()
    for one in templates:
        exporter.export_item(one)
    exporter.finish_exporting()
    text = file.getvalue().decode("utf-8-sig")
    csv.field_size_limit(10_000_000)
    return file.getvalue(), list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize(
    "text",
    [
        *("=1", "+1", "-1", "@x", "\tx", "\rx", "\nx", "\t=1", " \t=1"),
        *("  =1", '"=1', "'=1", " ' \" =1", "“=1", "\u200b=1", "\ufeff=1", "\u00a0=1"),
        *("＝1", "＋1", "－1", "＠x", "﹦1"),
    ],
)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["", "a=1", "1+1", "🚀 =1", "مرحبا", "[1]", '{"a":"=1"}', "'a'", "…", "a\n=1"]
)
def test_every_other_text_stays_as_it_is(text: str) -> None:
    assert harmless(text) == text


@given(texts)
def test_a_harmless_text_is_the_text_itself_or_has_one_apostrophe_more(text: str) -> None:
    assert harmless(text) in (text, f"'{text}")


def test_nasty_titles_come_back_from_a_reader_of_csv() -> None:
    templates = [template(str(n), title=title) for n, title in enumerate(NASTY_TITLES, 1)]

    raw, rows = table(*templates)

    assert [row["title"] for row in rows] == [harmless(title) for title in NASTY_TITLES]
    assert raw.count(b"\r\n") >= len(rows) + 1


def test_the_columns_are_the_fields_and_lists_are_json() -> None:
    _, [row] = table(template(categories=["a,b", "c"], views=3, price=-1.5, title=None))

    assert list(row) == list(Template.model_fields)
    assert json.loads(row["categories"]) == ["a,b", "c"]
    assert json.loads(row["layers"])["json"]["status"] == "ok"
    assert (row["views"], row["price"], row["title"]) == ("3", "-1.5", "")
    assert (row["outcome"], row["in_inventory"]) == ("complete", "true")


def test_for_excel_the_file_says_that_it_is_utf_8() -> None:
    plain, _ = table(template(title="Ü"))
    marked, [row] = table(template(title="Ü"), excel=True)

    assert marked == b"\xef\xbb\xbf" + plain
    assert row["title"] == "Ü"


def test_for_excel_a_cell_is_no_longer_than_excel_takes() -> None:
    _, [row] = table(template(title="🚀" * 40_000, description="x" * 32_767), excel=True)

    assert len(row["title"].encode("utf-16-le")) // 2 <= 32_767
    assert row["title"].endswith("… [cut]")
    assert row["description"] == "x" * 32_767


def test_rows_that_are_added_go_on_below_the_header() -> None:
    file = io.BytesIO()
    for one in (template("1"), template("2")):
        exporter = SafeCsvItemExporter(file, excel=True)
        exporter.start_exporting()
        exporter.export_item(one)
        exporter.finish_exporting()

    lines = list(csv.reader(io.StringIO(file.getvalue().decode("utf-8-sig"), newline="")))

    assert [line[0] for line in lines] == ["workflow_id", "1", "2"]


@given(texts)
def test_a_row_of_a_template_is_what_pythons_own_writer_makes_of_it(text: str) -> None:
    # Given two equal templates: the first row is written by Scrapy, the second by ourselves
    one = template(title=text, description=f'{text},"{text}"\n', views=7, price=0.5)

    written, rows = table(one, one, fields_to_export=list(Template.model_fields))

    assert rows[0] == rows[1]
    again = io.StringIO(newline="")
    csv.writer(again).writerow(list(rows[0].values()))
    assert written.decode().endswith(2 * again.getvalue())


def test_a_row_of_one_empty_cell_is_a_row() -> None:
    one = template(title=None)

    raw, rows = table(one, one, one, fields_to_export=["title"])

    assert raw == b'title\r\n""\r\n""\r\n""\r\n'
    assert rows == [{"title": ""}] * 3

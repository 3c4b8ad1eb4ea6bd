"""What real authors have written leaves in an export exactly as the database has it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from n8n_scraper.core.computing import compute
from n8n_scraper.exports.exporting import Order, export
from n8n_scraper.exports.filters import Filters
from n8n_scraper.exports.formats import FORMATS
from n8n_scraper.ledger.database import Database
from n8n_scraper.records.choosing import Snapshot
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.rules.computed import COMPUTED
from n8n_scraper.sources.n8n.source import SOURCE
from tests import templates
from tests.samples.answers import read_detail, read_import, template_of
from tests.samples.conftest import FOLDERS, recorded
from tests.unit.exports.reading_back import Row, as_lines, differences, with_duckdb, with_pyarrow


@pytest.fixture(scope="module")
def archive(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A database of all recorded templates: their metadata, and for some also their JSON."""
    database = Database(f"sqlite:///{tmp_path_factory.mktemp('samples')}/a.db")
    imports = {file.name: file for file in recorded(FOLDERS["import_file"])}
    for file in recorded(FOLDERS["detail_file"]):
        dossiers = [read_detail(file)]
        if file.name in imports:
            dossiers.append(read_import(imports[file.name]))
        for one in map(template_of, dossiers):
            compute(COMPUTED, one)
            database.do(lambda session, one=one: templates.save(session, one, ()))
    yield database
    database.close()


@pytest.fixture(scope="module")
def kept(archive: Database) -> list[Template]:
    """The templates of that database."""
    found = archive.do(lambda session: list(templates.load_all(session)))
    return sorted(found, key=lambda one: int(one.workflow_id))


@pytest.mark.parametrize(
    ("form", "read"), [("parquet", with_pyarrow), ("parquet", with_duckdb), ("jsonl", as_lines)]
)
def test_every_field_of_every_recorded_template_is_what_the_database_has(
    archive: Database,
    kept: list[Template],
    tmp_path: Path,
    form: str,
    read: Callable[[Path], list[Row]],
) -> None:
    order = Order(SOURCE, form, FORMATS[form], tmp_path / "x", Filters(), {}, "report")

    archive.look(lambda session: export(Snapshot(session, SOURCE), order))

    assert kept
    assert differences(read(tmp_path / "x"), kept) == []

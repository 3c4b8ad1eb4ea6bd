"""Which shape the tables of a database have."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect, text

from n8n_scraper import sources
from n8n_scraper.core.errors import StoreUnfit
from n8n_scraper.ledger import migrate, schema
from n8n_scraper.ledger.database import Database


def test_the_shapes_are_those_that_alembic_knows() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))

    known = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]

    assert schema.SHARED.revisions() == known[::-1]


def test_the_newest_tables_are_recognised_without_alembic(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Given that an upgrade would be noticed
    upgraded: list[Engine] = []
    monkeypatch.setattr(migrate, "upgrade", upgraded.append)

    # When a database of the newest shape is opened again
    again = Database(database_url, patience_seconds=0)
    again.open()
    again.close()

    # Then there was nothing to do
    assert upgraded == []


FIRST = """
import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade():
    op.create_table("toys", sa.Column("toy_id", sa.Text(), primary_key=True))
"""
SECOND = """
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade():
    op.add_column("toys", sa.Column("colour", sa.Text()))
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a source that has one migration of its own."""
    folder = tmp_path / "more sources, 100 %" / "toy"
    versions = folder / "migrations" / "versions"
    versions.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (versions / "0001_toys.py").write_text(FIRST)
    monkeypatch.setattr(sources, "__path__", [*sources.__path__, str(folder.parent)])
    monkeypatch.delitem(sys.modules, "n8n_scraper.sources.toy", raising=False)
    return folder


def opened(url: str) -> Database:
    database = Database(url, patience_seconds=0)
    database.open()
    return database


def rows(database: Database, query: str) -> list[Any]:
    return database.do(lambda session: list(session.scalars(text(query))))


def test_a_source_brings_its_own_tables(bare_url: str, toy: Path) -> None:
    # Given a database to which a source with a table of its own is new
    database = opened(bare_url)

    # Then its table is there, and its version stands beside that of the shared tables
    assert rows(database, "SELECT count(*) FROM toys") == [0]
    assert rows(database, "SELECT version_num FROM alembic_version_toy") == ["0001"]
    assert (
        rows(database, "SELECT version_num FROM alembic_version") == schema.SHARED.revisions()[-1:]
    )
    database.close()


def test_an_archive_is_upgraded_when_only_a_source_is_newer(bare_url: str, toy: Path) -> None:
    # Given an archive, and a later version of one source
    opened(bare_url).close()
    (toy / "migrations" / "versions" / "0002_colours.py").write_text(SECOND)

    # When somebody reads, then it is told what to do
    reader = Database(bare_url, patience_seconds=0)
    with pytest.raises(StoreUnfit, match=r"\(0001, the newest is 0002\): run `scrapy db upgrade`"):
        reader.look(lambda session: session.scalar(text("SELECT 1")))
    reader.close()

    # And whoever writes brings it up to date
    database = opened(bare_url)
    assert rows(database, "SELECT colour FROM toys") == []
    database.close()


def test_an_archive_stays_usable_without_a_source_that_it_was_made_with(
    bare_url: str, toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Given an archive with the tables of a source whose folder is gone
    opened(bare_url).close()
    monkeypatch.setattr(sources, "__path__", sources.__path__[:-1])

    # When it is opened and read
    database = opened(bare_url)
    reader = Database(bare_url, patience_seconds=0)
    assert reader.look(lambda session: session.scalar(text("SELECT count(*) FROM workflows"))) == 0

    # Then what the source had left is still there
    assert "toys" in inspect(database.engine).get_table_names()
    reader.close()
    database.close()

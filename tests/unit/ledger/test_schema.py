"""Which shape the tables of a database have."""

from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine

from n8n_scraper.ledger import migrate, schema
from n8n_scraper.ledger.database import Database


def test_the_shapes_are_those_that_alembic_knows() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))

    known = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]

    assert schema.revisions() == known[::-1]


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

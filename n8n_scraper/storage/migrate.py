"""Bring a database to the newest shape, safely with several processes starting at once."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from n8n_scraper.errors import NoArchive, StoreUnfit

# Any number does, as long as no other program takes the same one for its own lock.
_ADVISORY_LOCK = 8_675_309_808


def upgrade(engine: Engine) -> str:
    """Create or upgrade the tables where they are not the newest; return the revision."""
    with _config() as config:
        scripts = ScriptDirectory.from_config(config)
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                # A large archive may take its time, and is upgraded once.
                connection.execute(text("SET LOCAL statement_timeout = 0"))
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"))
            if _revision(connection, scripts) != scripts.get_current_head():
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        return str(scripts.get_current_head())


def check(engine: Engine) -> None:
    """Raise when the tables are not of the newest shape; change nothing."""
    with _config() as config, engine.connect() as connection:
        scripts = ScriptDirectory.from_config(config)
        revision, newest = _revision(connection, scripts), scripts.get_current_head()
    if revision is None:
        raise NoArchive
    if revision != newest:
        raise StoreUnfit(
            f"This database has the tables of an older version ({revision}, the newest is "
            f"{newest}): run `scrapy db upgrade`, then the same command again."
        )


def _revision(connection: Connection, scripts: ScriptDirectory) -> str | None:
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is not None and revision not in {one.revision for one in scripts.walk_revisions()}:
        raise StoreUnfit(
            f"This database has the shape {revision!r}, which this version does not know: it was "
            "made by a newer one. Upgrade n8n-scraper, or name another DATABASE_URL."
        )
    return revision


@contextmanager
def _config() -> Iterator[Config]:
    """Tell Alembic where the migrations are."""
    with _scripts() as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        yield config


@contextmanager
def _scripts() -> Iterator[Path]:
    """Give the migrations as a folder, even when the package was deployed as a zipped egg."""
    packed = files("n8n_scraper.storage") / "migrations"
    if isinstance(packed, Path):
        yield packed
        return
    with tempfile.TemporaryDirectory() as folder:
        _unpack(packed, Path(folder))
        yield Path(folder)


def _unpack(source: Traversable, target: Path) -> None:
    target.mkdir(exist_ok=True)
    for entry in source.iterdir():
        if entry.is_dir():
            _unpack(entry, target / entry.name)
        elif entry.name.endswith(".py"):
            (target / entry.name).write_bytes(entry.read_bytes())

"""Bring a database to the newest shape, safely with several processes starting at once."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, text

from n8n_scraper.ledger.schema import SHARED, Lineage, lineages

# Any number does, as long as no other program takes the same one for its own lock.
_ADVISORY_LOCK = 8_675_309_808


def upgrade(engine: Engine) -> None:
    """Create or upgrade the tables, unless another process did while this one waited."""
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            # A large archive may take its time, and is upgraded once.
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"))
        for line in lineages():
            if not line.is_newest(connection):
                with migrations(connection, line) as config:
                    command.upgrade(config, "head")


@contextmanager
def migrations(connection: Connection, line: Lineage = SHARED) -> Iterator[Config]:
    """Tell Alembic where a line of migrations is, and which connection it works in."""
    with ExitStack() as unpacked:
        config = Config()
        scripts = unpacked.enter_context(_as_folder(files(SHARED.package) / "migrations"))
        versions = unpacked.enter_context(_as_folder(line.versions))
        config.set_main_option("path_separator", "newline")
        config.set_main_option("script_location", _plain(scripts))
        config.set_main_option("version_locations", _plain(versions))
        config.attributes["connection"] = connection
        config.attributes["version_table"] = line.version_table
        yield config


def _plain(folder: Path) -> str:
    """Write a path so that the configuration does not take a part of it for a variable."""
    return str(folder).replace("%", "%%")


@contextmanager
def _as_folder(packed: Traversable) -> Iterator[Path]:
    """Give a folder as one on disk, even when the package was deployed as a zipped egg."""
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

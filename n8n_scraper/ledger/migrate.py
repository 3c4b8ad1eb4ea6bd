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
from sqlalchemy import Engine, text

from n8n_scraper.ledger.schema import revision, revisions

# Any number does, as long as no other program takes the same one for its own lock.
_ADVISORY_LOCK = 8_675_309_808


def upgrade(engine: Engine) -> None:
    """Create or upgrade the tables, unless another process did while this one waited."""
    with _config() as config, engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            # A large archive may take its time, and is upgraded once.
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"))
        if revision(connection) != revisions()[-1]:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


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
    packed = files("n8n_scraper.ledger") / "migrations"
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

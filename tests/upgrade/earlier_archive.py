"""An archive of migration 0009, as the version before left it: one run finished, one killed.

The first run brought fourteen templates of a stand-in. Then two of them were edited, one renamed,
one removed and three added; the second, an update with full chains, was killed when five of its
sixteen items were done, eight were claimed, and one of these had its first answer kept.
Addresses and paths are placeholders, so that it can be gone on with anywhere.
"""

import json
import lzma
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import Engine, MetaData, Table, create_engine, insert, select, text

from n8n_scraper.ledger.address import parse_url
from n8n_scraper.ledger.migrate import migrations
from n8n_scraper.sources.n8n.replica.changes import Changes
from n8n_scraper.sources.n8n.replica.running import RunningStandIn

REVISION = "0009"
TEMPLATES = 14
KILLED_RUN = "20261119T003607-5aa8"
_SCRIPT = Path(__file__).with_name(f"archive-of-{REVISION}.sql.xz")

_NUMBERS_TAKEN = (
    "SELECT setval(pg_get_serial_sequence('workflow_events', 'id'), max(id)) FROM workflow_events"
)

Rows = dict[str, list[dict[str, Any]]]


def changed(stand_in: RunningStandIn) -> None:
    """Let the site be as it was when the second run was killed."""
    ids = stand_in.ids
    stand_in.control(
        changes=Changes(
            edited={ids[3]: 1, ids[11]: 1},
            added=3,
            removed=frozenset({ids[5]}),
            renamed={ids[7]: "Quite another title"},
        )
    )


def lay_down(database_url: str, folder: Path, site: str) -> Rows:
    """Put the archive into an empty database and its job directory into a folder; give its rows."""
    script = lzma.decompress(_SCRIPT.read_bytes()).decode()
    for placeholder, value in (("site", site), ("folder", folder), ("database", database_url)):
        script = script.replace(f"{{{placeholder}}}", str(value))
    file = folder / "earlier.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)
    earlier = create_engine(f"sqlite:///{file}")
    rows = rows_of(earlier)
    engine = create_engine(parse_url(database_url))
    if engine.dialect.name == "sqlite":
        file.replace(str(engine.url.database))
    else:
        _copy(rows, engine)
    for one in (earlier, engine):
        one.dispose()
    _tie(folder / "second", database_url)
    return rows


def rows_of(engine: Engine) -> Rows:
    """Give every row of every table as it can be read in either database."""
    tables = MetaData()
    tables.reflect(engine)
    with engine.connect() as connection:
        return {
            table.name: [dict(row) for row in connection.execute(select(table)).mappings()]
            for table in tables.sorted_tables
        }


def rows_at(database_url: str) -> Rows:
    """Give every row of a database at this address."""
    engine = create_engine(parse_url(database_url))
    try:
        return rows_of(engine)
    finally:
        engine.dispose()


def _copy(rows: Mapping[str, list[dict[str, Any]]], engine: Engine) -> None:
    """Make the tables by the migrations of that version, and fill them."""
    with engine.begin() as connection, migrations(connection) as config:
        command.upgrade(config, REVISION)
        tables = MetaData()
        tables.reflect(connection)
        for table in _with_rows(tables, rows):
            connection.execute(insert(table), rows[table.name])
        # The numbers that were given by hand are taken.
        connection.execute(text(_NUMBERS_TAKEN))


def _with_rows(tables: MetaData, rows: Mapping[str, list[dict[str, Any]]]) -> Iterator[Table]:
    for table in tables.sorted_tables:
        if rows.get(table.name) and table.name != "alembic_version":
            yield table


def _tie(jobdir: Path, database_url: str) -> None:
    jobdir.mkdir()
    name = parse_url(database_url).render_as_string(hide_password=True)
    (jobdir / "run.json").write_text(json.dumps({"run_id": KILLED_RUN, "database": name}))

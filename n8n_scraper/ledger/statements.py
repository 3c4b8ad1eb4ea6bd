"""Say to the database what is said of every item, without building it anew each time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from sqlalchemy import CursorResult, Executable, Table
from sqlalchemy.orm import Session

Values = Mapping[str, Any]


def run(
    session: Session, statement: Executable, values: Values | Sequence[Values]
) -> CursorResult[Any]:
    """Carry out a statement for one set of values or for several, past all that an ORM minds."""
    return session.connection().execute(statement, values)


def put(session: Session, table: Table, rows: Sequence[Values]) -> None:
    """Write rows, each in place of the one with its key."""
    run(session, _upsert(table, session.get_bind().dialect.name, tuple(rows[0])), rows)


def insert_for(session: Session, table: Table) -> Any:
    """Give the insert of this database that can say what to do on a conflict."""
    return insert_into(table, session.get_bind().dialect.name)


def insert_new(session: Session, table: Table, row: Values) -> None:
    """Write a row; the one that is there with its key stays."""
    run(session, _insert_new(table, session.get_bind().dialect.name), row)


def insert_into(table: Table, dialect: str) -> Any:
    """Give the insert of a database by its name."""
    # The other database's dialect would cost every start a tenth of a second.
    home = import_module(
        f"sqlalchemy.dialects.{'postgresql' if dialect == 'postgresql' else 'sqlite'}"
    )
    return home.insert(table)


@cache
def _upsert(table: Table, dialect: str, names: tuple[str, ...]) -> Executable:
    """Build the statement once: that takes longer than SQLite needs to carry it out."""
    key = [column.name for column in table.primary_key]
    statement = insert_into(table, dialect)
    changed = {name: statement.excluded[name] for name in names if name not in key}
    update: Executable = statement.on_conflict_do_update(index_elements=key, set_=changed)
    return update


@cache
def _insert_new(table: Table, dialect: str) -> Executable:
    statement: Executable = insert_into(table, dialect).on_conflict_do_nothing()
    return statement

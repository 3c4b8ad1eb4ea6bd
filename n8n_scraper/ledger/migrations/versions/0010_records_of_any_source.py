"""Keep versions, events and raw answers by source and item, whatever an item is.

Revision ID: 0010
Revises: 0009
"""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

# All that an archive holds until now is of the one source there was.
_SOURCE = sa.text("'n8n'")
_OF_NO_TEMPLATE = "source <> 'n8n' OR item_id NOT IN (SELECT workflow_id FROM workflows)"
# SQLite numbers rows by itself only under this type.
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


_BYTES = sa.LargeBinary()
_NULLABLE = ("content_hash",)
_Column = tuple[str, sa.types.TypeEngine[Any]]


@dataclass(frozen=True)
class _Table:
    """A table under both its names, with the columns that stay as they are."""

    before: str
    now: str
    key_before: tuple[str, ...]
    key: tuple[str, ...]
    columns: tuple[_Column, ...]
    indexed: tuple[str, ...] = ()
    part: bool = False

    @property
    def renamed(self) -> dict[str, str]:
        """The columns that have another name now."""
        return {"workflow_id": "item_id"} | ({"layer": "part"} if self.part else {})

    @property
    def kept(self) -> list[str]:
        """The names of the others."""
        return [name for name, _ in self.columns]


def _columns(columns: tuple[_Column, ...]) -> list[sa.schema.SchemaItem]:
    return [
        sa.Column(name, kind, nullable=name in _NULLABLE, autoincrement=name == "id")
        for name, kind in columns
    ]


def _texts(*names: str) -> tuple[_Column, ...]:
    return tuple((name, sa.Text()) for name in names)


_TABLES = (
    _Table(
        "raw_answers",
        "raw_answers",
        ("workflow_id", "layer"),
        ("source", "item_id", "part"),
        (
            *_texts("url", "fetched_at", "body_sha256", "run_id"),
            *(("http_status", sa.BigInteger()), ("body_bytes", sa.BigInteger()), ("body", _BYTES)),
        ),
        part=True,
    ),
    _Table(
        "workflow_versions",
        "item_versions",
        ("workflow_id", "version"),
        ("source", "item_id", "version"),
        (
            *(("version", sa.BigInteger()), *_texts("content_hash", "run_id", "seen_at")),
            ("content", _BYTES),
        ),
    ),
    _Table(
        "workflow_events",
        "item_events",
        ("id",),
        ("id",),
        (
            ("id", _NUMBER),
            *_texts("run_id", "at", "kind"),
            ("details", sa.JSON(none_as_null=True)),
        ),
        indexed=("at", "run_id"),
    ),
)


def upgrade() -> None:
    """Give each row the name of its source; what it says stays as it is."""
    in_place = op.get_bind().dialect.name == "postgresql"
    for table in _TABLES:
        _drop_indexes(table.before, (*table.indexed, "workflow_id"), table)
        (_rename if in_place else _write_anew)(table)
        _make_indexes(table.now, (*table.indexed, "item_id"), table)


def downgrade() -> None:
    """Keep what is of templates, and tie it to them again."""
    in_place = op.get_bind().dialect.name == "postgresql"
    for table in _TABLES:
        op.execute(f"DELETE FROM {table.now} WHERE {_OF_NO_TEMPLATE}")  # noqa: S608
        _drop_indexes(table.now, (*table.indexed, "item_id"), table)
        (_rename_back if in_place else _write_back)(table)
        _make_indexes(table.before, (*table.indexed, "workflow_id"), table)


def _drop_indexes(name: str, columns: tuple[str, ...], table: _Table) -> None:
    for column in columns if table.indexed else ():
        op.drop_index(f"ix_{name}_{column}", name)


def _make_indexes(name: str, columns: tuple[str, ...], table: _Table) -> None:
    for column in columns if table.indexed else ():
        op.create_index(f"ix_{name}_{column}", name, [column])


def _rename(table: _Table) -> None:
    """Change names and keys where the rows are: PostgreSQL need not write them anew."""
    op.drop_constraint(f"fk_{table.before}_workflow_id", table.before, type_="foreignkey")
    op.drop_constraint(f"pk_{table.before}", table.before, type_="primary")
    if table.now != table.before:
        op.rename_table(table.before, table.now)
    for old, new in table.renamed.items():
        op.alter_column(table.now, old, new_column_name=new)
    # A constant default is noted once for all rows.
    op.add_column(table.now, sa.Column("source", sa.Text(), nullable=False, server_default=_SOURCE))
    op.alter_column(table.now, "source", server_default=None)
    op.create_primary_key(f"pk_{table.now}", table.now, list(table.key))


def _rename_back(table: _Table) -> None:
    op.drop_constraint(f"pk_{table.now}", table.now, type_="primary")
    op.drop_column(table.now, "source")
    for old, new in table.renamed.items():
        op.alter_column(table.now, new, new_column_name=old)
    if table.now != table.before:
        op.rename_table(table.now, table.before)
    op.create_primary_key(f"pk_{table.before}", table.before, list(table.key_before))
    name, key = f"fk_{table.before}_workflow_id", ["workflow_id"]
    op.create_foreign_key(name, table.before, "workflows", key, key, ondelete="CASCADE")


def _write_anew(table: _Table) -> None:
    """Write the rows under their new key, which SQLite changes only so."""
    columns = (*_texts("source", *table.renamed.values()), *table.columns)
    _replace(
        table.before,
        table.now,
        [*_columns(columns), sa.PrimaryKeyConstraint(*table.key, name=f"pk_{table.now}")],
        {"source": str(_SOURCE)}
        | {new: old for old, new in table.renamed.items()}
        | {name: name for name in table.kept},
    )


def _write_back(table: _Table) -> None:
    _replace(
        table.now,
        table.before,
        [
            *_columns((*_texts(*table.renamed), *table.columns)),
            sa.PrimaryKeyConstraint(*table.key_before, name=f"pk_{table.before}"),
            sa.ForeignKeyConstraint(
                ["workflow_id"],
                ["workflows.workflow_id"],
                name=f"fk_{table.before}_workflow_id",
                ondelete="CASCADE",
            ),
        ],
        table.renamed | {name: name for name in table.kept},
    )


def _replace(
    old: str, new: str, made_of: list[sa.schema.SchemaItem], values: dict[str, str]
) -> None:
    """Make a table of another one's rows, which the database itself moves one by one."""
    aside = f"{old}_before" if old == new else old
    if aside != old:
        op.rename_table(old, aside)
    op.create_table(new, *made_of)
    names, sources = ", ".join(values), ", ".join(values.values())
    op.execute(f"INSERT INTO {new} ({names}) SELECT {sources} FROM {aside}")  # noqa: S608
    op.drop_table(aside)

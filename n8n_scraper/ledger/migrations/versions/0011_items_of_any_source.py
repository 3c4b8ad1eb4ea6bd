"""Speak of items, parts and listings in the queue, whatever source they are of.

Revision ID: 0011
Revises: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_RENAMED = (
    ("scrape_runs", "source", "site"),
    ("scrape_run_items", "workflow_id", "item_id"),
    ("scrape_run_answers", "workflow_id", "item_id"),
    ("scrape_run_answers", "layer", "part"),
)
_FOREIGN_KEY = "fk_scrape_run_answers_run_id_{}"
_INDEX = "ix_scrape_run_items_{}"
# The slug is what the listing says of a template: it goes there, and the rest of it stays.
_INTO_THE_LISTING = {
    "postgresql": "UPDATE scrape_run_items SET listing ="
    " (coalesce(nullif(listing::jsonb, 'null'), '{}') || jsonb_build_object('slug', slug))::json"
    " WHERE slug IS NOT NULL",
    "sqlite": "UPDATE scrape_run_items SET listing ="
    " json_set(coalesce(nullif(listing, 'null'), '{}'), '$.slug', slug) WHERE slug IS NOT NULL",
}
_OUT_OF_THE_LISTING = {
    "postgresql": "UPDATE scrape_run_items SET slug = listing ->> 'slug',"
    " listing = CAST(nullif(listing::jsonb - 'slug', '{}') AS json) WHERE listing IS NOT NULL",
    "sqlite": "UPDATE scrape_run_items SET slug = json_extract(listing, '$.slug'),"
    " listing = nullif(json_remove(listing, '$.slug'), '{}') WHERE listing IS NOT NULL",
}


def upgrade() -> None:
    """Rename the columns where they are, and say of the runs that there are whose they were."""
    for table, old, new in _RENAMED:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    _rename_with_them("workflow_id", "item_id")
    # Every run of an earlier version was of the one source that there was.
    op.add_column(
        "scrape_runs", sa.Column("source", sa.Text(), server_default="n8n", nullable=False)
    )
    if _is_postgresql():
        op.execute("ALTER TABLE scrape_runs ALTER COLUMN source DROP DEFAULT")
    op.execute(_INTO_THE_LISTING[_dialect()])
    op.drop_column("scrape_run_items", "slug")


def downgrade() -> None:
    """Take the slug out of the listing again, and give everything its old name."""
    op.add_column("scrape_run_items", sa.Column("slug", sa.Text(), nullable=True))
    op.execute(_OUT_OF_THE_LISTING[_dialect()])
    op.drop_column("scrape_runs", "source")
    for table, old, new in reversed(_RENAMED):
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {new} TO {old}")
    _rename_with_them("item_id", "workflow_id")


def _rename_with_them(old: str, new: str) -> None:
    """Let the names of an index and of a constraint follow the column's."""
    table = "scrape_run_items"
    if _is_postgresql():
        op.execute(f"ALTER INDEX {_INDEX.format(old)} RENAME TO {_INDEX.format(new)}")
        names = f"{_FOREIGN_KEY.format(old)} TO {_FOREIGN_KEY.format(new)}"
        op.execute(f"ALTER TABLE scrape_run_answers RENAME CONSTRAINT {names}")
        return
    op.drop_index(_INDEX.format(old), table)  # SQLite names nothing anew
    op.create_index(_INDEX.format(new), table, [new])


def _is_postgresql() -> bool:
    return _dialect() == "postgresql"


def _dialect() -> str:
    return op.get_bind().dialect.name

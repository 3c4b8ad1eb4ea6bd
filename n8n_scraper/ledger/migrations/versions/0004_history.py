"""Keep the history: what happened to templates, their versions, and their views over time.

Revision ID: 0004
Revises: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

# SQLite numbers rows by itself only under this type.
Number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the tables of the history, and when a template was removed from the site."""
    op.add_column("workflows", sa.Column("removed_at", sa.Text(), nullable=True))
    op.create_table(
        "workflow_versions",
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=True),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("seen_at", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        _belongs_to_a_workflow("workflow_versions"),
        sa.PrimaryKeyConstraint("workflow_id", "version", name="pk_workflow_versions"),
    )
    op.create_table(
        "workflow_events",
        sa.Column("id", Number, autoincrement=True, nullable=False),
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("details", sa.JSON(none_as_null=True), nullable=False),
        _belongs_to_a_workflow("workflow_events"),
        sa.PrimaryKeyConstraint("id", name="pk_workflow_events"),
    )
    for column in ("at", "run_id", "workflow_id"):
        op.create_index(f"ix_workflow_events_{column}", "workflow_events", [column])
    op.create_table(
        "view_samples",
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("views", sa.BigInteger(), nullable=True),
        sa.Column("recent_views", sa.BigInteger(), nullable=True),
        sa.Column("run_id", sa.Text(), nullable=False),
        _belongs_to_a_workflow("view_samples"),
        sa.PrimaryKeyConstraint("workflow_id", "at", name="pk_view_samples"),
    )


def downgrade() -> None:
    """Forget the history."""
    for table in ("view_samples", "workflow_events", "workflow_versions"):
        op.drop_table(table)
    op.drop_column("workflows", "removed_at")


def _belongs_to_a_workflow(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workflow_id"],
        ["workflows.workflow_id"],
        name=f"fk_{table}_workflow_id",
        ondelete="CASCADE",
    )

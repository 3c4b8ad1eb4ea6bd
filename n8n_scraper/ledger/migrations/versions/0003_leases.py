"""Give runs an owner with a lease and a fence, and keep the answers of chains under way.

Revision ID: 0003
Revises: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns of ownership and the table of answers under way."""
    op.add_column("scrape_runs", sa.Column("owner", sa.Text(), nullable=True))
    op.add_column(
        "scrape_runs", sa.Column("fence", sa.BigInteger(), server_default="0", nullable=False)
    )
    op.add_column("scrape_runs", sa.Column("lease_until", sa.Double(), nullable=True))
    op.add_column("scrape_run_items", sa.Column("owner", sa.Text(), nullable=True))
    op.add_column("scrape_run_items", sa.Column("lease_until", sa.Double(), nullable=True))
    for name in ("attempts", "fence"):
        op.add_column(
            "scrape_run_items", sa.Column(name, sa.BigInteger(), server_default="0", nullable=False)
        )
    op.create_index(
        "ix_scrape_run_items_closed_at", "scrape_run_items", ["run_id", "closed_at"], unique=False
    )
    op.create_table(
        "scrape_run_answers",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("layer", sa.Text(), nullable=False),
        sa.Column("state", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("http_status", sa.BigInteger(), nullable=True),
        sa.Column("fetched_at", sa.Text(), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.Column("requests", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id", "workflow_id"],
            ["scrape_run_items.run_id", "scrape_run_items.workflow_id"],
            name="fk_scrape_run_answers_run_id_workflow_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_id", "workflow_id", "layer", name="pk_scrape_run_answers"),
    )


def downgrade() -> None:
    """Forget all of it."""
    op.drop_table("scrape_run_answers")
    op.drop_index("ix_scrape_run_items_closed_at", "scrape_run_items")
    for name in ("fence", "attempts", "lease_until", "owner"):
        op.drop_column("scrape_run_items", name)
    for name in ("lease_until", "fence", "owner"):
        op.drop_column("scrape_runs", name)

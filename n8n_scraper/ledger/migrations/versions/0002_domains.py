"""Remember each domain's pace, and whether a run's inventory is whole.

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table of domains and a column of the runs."""
    op.create_table(
        "domains",
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("tokens", sa.Double(), nullable=False),
        sa.Column("tokens_at", sa.Double(), nullable=False),
        sa.Column("held_until", sa.Double(), nullable=False),
        sa.Column("learned_rate", sa.Double(), nullable=True),
        sa.Column("circuit_failures", sa.BigInteger(), nullable=False),
        sa.Column("circuit_opened_at", sa.Double(), nullable=True),
        sa.Column("circuit_hold_seconds", sa.Double(), nullable=False),
        sa.Column("circuit_reason", sa.Text(), nullable=False),
        sa.Column("circuit_tripped_by", sa.Text(), nullable=False),
        sa.Column("reset_at", sa.Text(), nullable=True),
        sa.Column("updated_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("domain", name="pk_domains"),
    )
    op.add_column("scrape_runs", sa.Column("discovered_at", sa.Text(), nullable=True))


def downgrade() -> None:
    """Forget both."""
    op.drop_column("scrape_runs", "discovered_at")
    op.drop_table("domains")

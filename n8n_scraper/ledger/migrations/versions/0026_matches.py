"""Keep which items announce the same happening, and what a person has said of doubtful ones.

Revision ID: 0026
Revises: 0025
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables; they are filled by what is stored from now on, or all at once on demand."""
    op.create_table(
        "occasions",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=True),
        sa.Column("told", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("source", "item_id", name="pk_occasions"),
    )
    op.create_index("ix_occasions_day", "occasions", ["day"])
    op.create_table(
        "matches",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("other_source", sa.Text(), nullable=False),
        sa.Column("other_id", sa.Text(), nullable=False),
        sa.Column("tier", sa.Text(), nullable=False),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("source", "item_id", "other_source", "other_id", name="pk_matches"),
    )
    op.create_index("ix_matches_other", "matches", ["other_source", "other_id"])
    op.create_table(
        "reviews",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=False),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("asked_at", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=True),
        sa.Column("decided_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("source", "item_id", name="pk_reviews"),
    )


def downgrade() -> None:
    """Forget them: matches follow from the items, what a person has said is lost."""
    for table in ("reviews", "matches", "occasions"):
        op.drop_table(table)

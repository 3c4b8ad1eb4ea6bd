"""Keep which items are nearly the same.

Revision ID: 0019
Revises: 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables; they are filled by what is stored from now on, or all at once on demand."""
    op.create_table(
        "item_features",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("features", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("source", "item_id", name="pk_item_features"),
    )
    op.create_table(
        "first_features",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("feature", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("source", "feature", "item_id", name="pk_first_features"),
    )
    op.create_index("ix_first_features_item_id", "first_features", ["source", "item_id"])
    op.create_table(
        "look_alikes",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("other_id", sa.Text(), nullable=False),
        sa.Column("similarity", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("source", "item_id", "other_id", name="pk_look_alikes"),
    )
    op.create_index("ix_look_alikes_other_id", "look_alikes", ["source", "other_id"])


def downgrade() -> None:
    """Forget them: they follow from the items."""
    for table in ("look_alikes", "first_features", "item_features"):
        op.drop_table(table)

"""Note how far a rereading of stored answers has come.

Revision ID: 0012
Revises: 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "rereadings",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("asked", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("readers", sa.Text(), nullable=False),
        sa.Column("since", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("items", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("source", name="pk_rereadings"),
    )


def downgrade() -> None:
    """Forget it."""
    op.drop_table("rereadings")

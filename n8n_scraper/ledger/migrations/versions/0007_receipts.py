"""Note which transaction of a process was the last to be committed.

Revision ID: 0007
Revises: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "receipts",
        sa.Column("writer", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("writer", name="pk_receipts"),
    )


def downgrade() -> None:
    """Forget it."""
    op.drop_table("receipts")

"""Remember what each tool has brought of a source.

Revision ID: 0024
Revises: 0023
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "tool_attempts",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("coverage", sa.Double(), nullable=True),
        sa.Column("items", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("cost", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("source", "tool", "at", name="pk_tool_attempts"),
    )


def downgrade() -> None:
    """Forget it: the cheapest tool goes first again."""
    op.drop_table("tool_attempts")

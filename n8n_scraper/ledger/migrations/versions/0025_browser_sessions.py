"""Keep the sessions of remote browsers where all who open one see them.

Revision ID: 0025
Revises: 0024
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "browser_sessions",
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("leases", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("begun", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("held_until", sa.Double(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account", name="pk_browser_sessions"),
    )


def downgrade() -> None:
    """Forget them: what is open ends by its own time-out."""
    op.drop_table("browser_sessions")

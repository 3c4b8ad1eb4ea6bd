"""Keep with a run the command that its process was started with.

Revision ID: 0009
Revises: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add it; for runs of earlier versions it is not known."""
    op.add_column("scrape_runs", sa.Column("command", sa.Text(), nullable=True))


def downgrade() -> None:
    """Forget it."""
    op.drop_column("scrape_runs", "command")

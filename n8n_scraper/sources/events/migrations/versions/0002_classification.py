"""Say of each event of a site what it was taken for.

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
    """Add the column; it is filled when an event is stored or read again."""
    op.add_column("site_events", sa.Column("classification", sa.JSON(none_as_null=True)))


def downgrade() -> None:
    """Drop it: it follows from the other fields."""
    op.drop_column("site_events", "classification")

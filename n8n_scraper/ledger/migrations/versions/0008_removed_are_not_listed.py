"""Say of the templates that were removed that the site does not list them.

Revision ID: 0008
Revises: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_WORKFLOWS = sa.table(
    "workflows", sa.column("in_inventory", sa.Boolean()), sa.column("removed_at", sa.Text())
)


def upgrade() -> None:
    """Correct what earlier versions left as it was when the template was stored."""
    removed = _WORKFLOWS.c.removed_at.is_not(None)
    op.execute(_WORKFLOWS.update().where(removed).values(in_inventory=sa.false()))


def downgrade() -> None:
    """Leave it: which of them were listed when they were stored is in `scrape_run_items`."""

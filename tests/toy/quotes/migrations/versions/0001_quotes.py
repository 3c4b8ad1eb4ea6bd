"""Add the table of the quotations."""

from alembic import op
from n8n_scraper.sources.quotes.tables import QUOTES

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add it."""
    QUOTES.create(op.get_bind())


def downgrade() -> None:
    """Drop it."""
    op.drop_table(QUOTES.name)

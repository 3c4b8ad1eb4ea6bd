"""Let programs elsewhere create runs: whose domain it is, what was asked for, and by which address.

Revision ID: 0021
Revises: 0020
"""

import sqlalchemy as sa
from alembic import op

from n8n_scraper.core.web_address import host_of

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; the domain of a run of earlier versions is the host of its site."""
    op.add_column("scrape_runs", sa.Column("domain", sa.Text(), nullable=False, server_default=""))
    op.add_column("scrape_runs", sa.Column("creation_key", sa.Text(), nullable=True))
    op.add_column("scrape_runs", sa.Column("asked", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("scrape_run_items", sa.Column("url", sa.Text(), nullable=True))
    _name_the_domains()
    op.create_index("ix_scrape_runs_domain", "scrape_runs", ["domain", "started_at"])
    op.create_index("ix_scrape_runs_creation_key", "scrape_runs", ["creation_key"], unique=True)


def downgrade() -> None:
    """Forget what only programs have said."""
    op.drop_index("ix_scrape_runs_creation_key", "scrape_runs")
    op.drop_index("ix_scrape_runs_domain", "scrape_runs")
    op.drop_column("scrape_run_items", "url")
    for name in ("asked", "creation_key", "domain"):
        op.drop_column("scrape_runs", name)


def _name_the_domains() -> None:
    connection = op.get_bind()
    runs = sa.table("scrape_runs", sa.column("site", sa.Text), sa.column("domain", sa.Text))
    for (site,) in connection.execute(sa.select(runs.c.site).distinct()).all():
        connection.execute(sa.update(runs).where(runs.c.site == site).values(domain=host_of(site)))

"""Let any number of workers share a run: a row for each, and the lease with it.

Revision ID: 0013
Revises: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_INVENTORY = ("discovery_worker", "inventory_error", "inventory_refusal", "inventory_warning")
# The only worker that a run had, as far as its row tells; whose lease it was that has run out.
_WORKERS = (
    "INSERT INTO scrape_workers (worker, run_id, jobdir, since, lease_until, ended_at, end_reason)"
    " SELECT owner, run_id, {jobdir}, started_at,"
    " CASE WHEN ended_at IS NULL THEN coalesce(lease_until, 1) END,"
    " ended_at, end_reason FROM scrape_runs WHERE owner IS NOT NULL"
)
_JOBDIR = {
    "postgresql": "nullif(settings ->> 'JOBDIR', '')",
    "sqlite": "nullif(json_extract(settings, '$.JOBDIR'), '')",
}
# An item that a run's former owner held belongs to nobody any more.
_GIVE_BACK = (
    "UPDATE scrape_run_items SET state = 'pending', owner = NULL, claimed_at = NULL"
    " WHERE state = 'claimed' AND NOT EXISTS (SELECT 1 FROM scrape_workers"
    " WHERE scrape_workers.worker = scrape_run_items.owner)"
)
# What a run may have sent so far, rather too much than too little: of each item what is known, and
# one request of each claim that came to no end; and what each start asks for before the first item.
_RESERVED = (
    "UPDATE scrape_runs SET requests_reserved = 4 * fence + (SELECT coalesce(sum("
    "coalesce(items.requests, (SELECT max(answers.requests) FROM scrape_run_answers answers"
    " WHERE answers.run_id = items.run_id AND answers.item_id = items.item_id), 0)"
    " + items.attempts - CASE WHEN items.closed_at IS NULL THEN 0 ELSE 1 END), 0)"
    " FROM scrape_run_items items WHERE items.run_id = scrape_runs.run_id)"
    " WHERE status <> 'finished'"
)
_OWNERS = (
    "UPDATE scrape_runs SET owner = (SELECT max(worker) FROM scrape_workers"
    " WHERE scrape_workers.run_id = scrape_runs.run_id AND NOT EXISTS (SELECT 1"
    " FROM scrape_workers later WHERE later.run_id = scrape_workers.run_id"
    " AND later.since > scrape_workers.since)),"
    " fence = (SELECT count(*) FROM scrape_workers"
    " WHERE scrape_workers.run_id = scrape_runs.run_id)"
)
_LEASES = (
    "UPDATE scrape_runs SET lease_until = (SELECT lease_until FROM scrape_workers"
    " WHERE worker = scrape_runs.owner)"
)


def upgrade() -> None:
    """Make a worker of each run's owner; its items stay its own until its lease is over."""
    op.create_table(
        "scrape_workers",
        sa.Column("worker", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("machine", sa.Text(), nullable=True),
        sa.Column("jobdir", sa.Text(), nullable=True),
        sa.Column("since", sa.Text(), nullable=False),
        sa.Column("lease_until", sa.Double(), nullable=True),
        sa.Column("ended_at", sa.Text(), nullable=True),
        sa.Column("end_reason", sa.Text(), nullable=True),
        sa.Column("counts", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["run_id"],
            ["scrape_runs.run_id"],
            name="fk_scrape_workers_run_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("worker", name="pk_scrape_workers"),
    )
    op.create_index("ix_scrape_workers_run_id", "scrape_workers", ["run_id"])
    for name in _INVENTORY:
        op.add_column("scrape_runs", sa.Column(name, sa.Text(), nullable=True))
    op.add_column(
        "scrape_runs",
        sa.Column("requests_reserved", sa.BigInteger(), server_default="0", nullable=False),
    )
    op.execute(_WORKERS.format(jobdir=_JOBDIR[op.get_bind().dialect.name]))
    op.execute(_GIVE_BACK)
    op.execute(_RESERVED)
    for name in ("owner", "fence", "lease_until"):
        op.drop_column("scrape_runs", name)
    op.execute("ALTER TABLE scrape_run_items RENAME COLUMN owner TO worker")
    op.drop_column("scrape_run_items", "lease_until")


def downgrade() -> None:
    """Let the newest worker of each run be its owner."""
    op.add_column("scrape_run_items", sa.Column("lease_until", sa.Double(), nullable=True))
    op.execute("ALTER TABLE scrape_run_items RENAME COLUMN worker TO owner")
    op.add_column("scrape_runs", sa.Column("owner", sa.Text(), nullable=True))
    op.add_column(
        "scrape_runs", sa.Column("fence", sa.BigInteger(), server_default="0", nullable=False)
    )
    op.add_column("scrape_runs", sa.Column("lease_until", sa.Double(), nullable=True))
    op.execute(_OWNERS)
    op.execute(_LEASES)
    op.drop_column("scrape_runs", "requests_reserved")
    for name in reversed(_INVENTORY):
        op.drop_column("scrape_runs", name)
    op.drop_index("ix_scrape_workers_run_id", "scrape_workers")
    op.drop_table("scrape_workers")

"""Add the table of the events of the sites.

Revision ID: 0001
Revises:
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_TEXTS = (
    *("source_event_id", "url", "title", "start", "end", "schedule", "location", "price"),
    *("currency", "description", "organiser", "removed_at", "content_hash"),
)
_NEVER_NULL = ("site", "timezone", "status", "outcome", "run_id", "scraped_at")
_JSON = ("venue", "quality")
_JSON_NEVER_NULL = (
    *("occurrences", "schedule_doubts", "images", "categories", "issues"),
    *("parts", "unobserved", "sources"),
)
_INDEXED = ("site", "start", "outcome", "scraped_at")


def upgrade() -> None:
    """Add the table."""
    json = sa.JSON(none_as_null=True)
    op.create_table(
        "site_events",
        sa.Column("event_id", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Text()) for name in _TEXTS),
        *(sa.Column(name, sa.Text(), nullable=False) for name in _NEVER_NULL),
        *(sa.Column(name, json) for name in _JSON),
        *(sa.Column(name, json, nullable=False) for name in _JSON_NEVER_NULL),
        *(sa.Column(name, sa.Boolean()) for name in ("all_day", "is_free")),
        *(sa.Column(name, sa.Double()) for name in ("price_min", "price_max")),
        sa.Column("in_inventory", sa.Boolean(), nullable=False),
        sa.Column("processing_time", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("event_id", name="pk_site_events"),
    )
    for name in _INDEXED:
        op.create_index(f"ix_site_events_{name}", "site_events", [name])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("site_events")

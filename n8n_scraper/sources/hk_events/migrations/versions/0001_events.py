"""Add the table of the events.

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
    *("url", "title", "title_zh", "start", "end", "schedule", "description", "description_zh"),
    *("organiser", "age_limit", "duration", "remark", "ticket_url", "on_sale_since"),
    *("submitted_at", "removed_at", "content_hash"),
)
_NEVER_NULL = ("timezone", "status", "outcome", "run_id", "scraped_at")
_JSON = ("date_disagreement", "venue", "price", "quality")
_JSON_NEVER_NULL = (
    *("languages", "occurrences", "schedule_doubts", "categories"),
    *("parts", "unobserved", "sources"),
)
_INDEXED = ("start", "outcome", "scraped_at")


def upgrade() -> None:
    """Add the table."""
    json = sa.JSON(none_as_null=True)
    op.create_table(
        "events",
        sa.Column("event_id", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Text()) for name in _TEXTS),
        *(sa.Column(name, sa.Text(), nullable=False) for name in _NEVER_NULL),
        *(sa.Column(name, json) for name in _JSON),
        *(sa.Column(name, json, nullable=False) for name in _JSON_NEVER_NULL),
        sa.Column("all_day", sa.Boolean()),
        sa.Column("in_inventory", sa.Boolean(), nullable=False),
        sa.Column("processing_time", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("event_id", name="pk_events"),
    )
    for name in _INDEXED:
        op.create_index(f"ix_events_{name}", "events", [name])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("events")

"""Keep what is told to the outside, and which alerts fire.

Revision ID: 0020
Revises: 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "outbox",
        sa.Column("number", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("stage", sa.BigInteger(), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("revision", sa.BigInteger(), server_default="1", nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("due_at", sa.Double(), nullable=True),
        sa.Column("give_up_at", sa.Double(), nullable=False),
        sa.Column("failed_at", sa.Double(), nullable=True),
        sa.Column("in_doubt", sa.Boolean(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.Double(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("written_at", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("number", name="pk_outbox"),
    )
    op.create_index("uq_outbox_channel_key", "outbox", ["channel", "key"], unique=True)
    op.create_index("ix_outbox_due", "outbox", ["channel", "state", "due_at"])
    op.create_index("ix_outbox_topic", "outbox", ["channel", "topic", "stage", "state"])
    op.create_table(
        "outbox_channels",
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("failures", sa.BigInteger(), nullable=False),
        sa.Column("held_until", sa.Double(), nullable=False),
        sa.Column("taken_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("channel", name="pk_outbox_channels"),
    )
    op.create_table(
        "outbox_names",
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("theirs", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("channel", "name", name="pk_outbox_names"),
    )
    op.create_table(
        "alerts",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("firing", sa.Boolean(), nullable=False),
        sa.Column("since", sa.Double(), nullable=False),
        sa.Column("told_at", sa.Double(), nullable=True),
        sa.Column("is_told", sa.Boolean(), nullable=False),
        sa.Column("times", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_alerts"),
    )


def downgrade() -> None:
    """Forget them."""
    for name in ("alerts", "outbox_names", "outbox_channels"):
        op.drop_table(name)
    for name in ("ix_outbox_topic", "ix_outbox_due", "uq_outbox_channel_key"):
        op.drop_index(name, "outbox")
    op.drop_table("outbox")

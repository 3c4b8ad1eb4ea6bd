"""Keep what was found inside templates: secrets, transcripts of videos, pictures.

Revision ID: 0005
Revises: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

# A null has a reason, also in the rows that an earlier version wrote.
_NOT_LOOKED_FOR = {
    "sqlite": "UPDATE workflows SET unobserved = "
    "json_set(unobserved, '$.secrets', 'not collected by the version that stored it')",
    "postgresql": "UPDATE workflows SET unobserved = (unobserved::jsonb || "
    "jsonb_build_object('secrets', 'not collected by the version that stored it'))::json",
}


def upgrade() -> None:
    """Add the column of findings, and the tables of what is fetched besides the templates."""
    op.add_column("workflows", sa.Column("secrets", sa.JSON(none_as_null=True), nullable=True))
    op.execute(_NOT_LOOKED_FOR[op.get_bind().dialect.name])
    op.create_table(
        "video_transcripts",
        sa.Column("video_id", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("generated", sa.Boolean(), nullable=True),
        sa.Column("segments", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("attempts", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("fetched_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("video_id", name="pk_video_transcripts"),
    )
    op.create_table(
        "stored_images",
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=True),
        sa.Column("path", sa.Text(), nullable=True),
        sa.Column("bytes", sa.BigInteger(), nullable=True),
        sa.Column("width", sa.BigInteger(), nullable=True),
        sa.Column("height", sa.BigInteger(), nullable=True),
        sa.Column("media_type", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("fetched_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("url", name="pk_stored_images"),
    )


def downgrade() -> None:
    """Forget all of it."""
    op.drop_table("stored_images")
    op.drop_table("video_transcripts")
    op.drop_column("workflows", "secrets")

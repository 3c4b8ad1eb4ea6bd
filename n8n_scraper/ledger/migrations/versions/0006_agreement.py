"""Keep whether the answers agree, and the links to channels and playlists.

Revision ID: 0006
Revises: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_COLUMNS = ("other_video_links", "agreement")
# A null has a reason, also in the rows that an earlier version wrote.
_NOT_LOOKED_FOR = {
    "sqlite": "UPDATE workflows SET unobserved = json_set(unobserved, "
    "'$.other_video_links', 'not collected by the version that stored it', "
    "'$.agreement', 'not collected by the version that stored it')",
    "postgresql": "UPDATE workflows SET unobserved = (unobserved::jsonb || jsonb_build_object("
    "'other_video_links', 'not collected by the version that stored it', "
    "'agreement', 'not collected by the version that stored it'))::json",
}


def upgrade() -> None:
    """Add the columns, and say of the rows that are there why they have nothing in them."""
    for name in _COLUMNS:
        op.add_column("workflows", sa.Column(name, sa.JSON(none_as_null=True), nullable=True))
    op.execute(_NOT_LOOKED_FOR[op.get_bind().dialect.name])


def downgrade() -> None:
    """Forget both."""
    for name in reversed(_COLUMNS):
        op.drop_column("workflows", name)

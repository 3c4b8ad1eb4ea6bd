"""The first tables: templates, their raw answers, runs, and what each run expects.

Revision ID: 0001
Revises:
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

Json = sa.JSON(none_as_null=True)


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "scrape_runs",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("spider", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("arguments", Json, nullable=False),
        sa.Column("settings", Json, nullable=False),
        sa.Column("versions", Json, nullable=False),
        sa.Column("started_at", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("end_reason", sa.Text(), nullable=True),
        sa.Column("totals", Json, nullable=True),
        sa.PrimaryKeyConstraint("run_id", name="pk_scrape_runs"),
    )
    op.create_index("ix_scrape_runs_started_at", "scrape_runs", ["started_at"], unique=False)
    op.create_table(
        "workflows",
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("author", Json, nullable=True),
        sa.Column("categories", Json, nullable=True),
        sa.Column("created_at", sa.Text(), nullable=True),
        sa.Column("last_update_text", sa.Text(), nullable=True),
        sa.Column("views", sa.BigInteger(), nullable=True),
        sa.Column("recent_views", sa.BigInteger(), nullable=True),
        sa.Column("price", sa.Double(), nullable=True),
        sa.Column("purchase_url", sa.Text(), nullable=True),
        sa.Column("workflow", Json, nullable=True),
        sa.Column("node_count", sa.BigInteger(), nullable=True),
        sa.Column("note_count", sa.BigInteger(), nullable=True),
        sa.Column("connection_count", sa.BigInteger(), nullable=True),
        sa.Column("node_types", Json, nullable=True),
        sa.Column("trigger_types", Json, nullable=True),
        sa.Column("credential_types", Json, nullable=True),
        sa.Column("community_nodes", Json, nullable=True),
        sa.Column("explainer", Json, nullable=True),
        sa.Column("notes", Json, nullable=True),
        sa.Column("images", Json, nullable=True),
        sa.Column("videos", Json, nullable=True),
        sa.Column("transcripts", Json, nullable=True),
        sa.Column("quality", Json, nullable=True),
        sa.Column("import_check", Json, nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("layers", Json, nullable=False),
        sa.Column("in_inventory", sa.Boolean(), nullable=False),
        sa.Column("unobserved", Json, nullable=False),
        sa.Column("sources", Json, nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=True),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("scraped_at", sa.Text(), nullable=False),
        sa.Column("processing_time", sa.Double(), nullable=False),
        sa.Column("quality_score", sa.Double(), nullable=True),
        sa.Column("quality_grade", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("workflow_id", name="pk_workflows"),
    )
    op.create_index("ix_workflows_outcome", "workflows", ["outcome"], unique=False)
    op.create_index("ix_workflows_quality_score", "workflows", ["quality_score"], unique=False)
    op.create_index("ix_workflows_scraped_at", "workflows", ["scraped_at"], unique=False)
    op.create_table(
        "raw_answers",
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("layer", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("http_status", sa.BigInteger(), nullable=False),
        sa.Column("fetched_at", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("body_bytes", sa.BigInteger(), nullable=False),
        sa.Column("body_sha256", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workflow_id"],
            ["workflows.workflow_id"],
            name="fk_raw_answers_workflow_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workflow_id", "layer", name="pk_raw_answers"),
    )
    op.create_table(
        "scrape_run_items",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("workflow_id", sa.Text(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=True),
        sa.Column("in_inventory", sa.Boolean(), nullable=False),
        sa.Column("listing", Json, nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("category", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("http_status", sa.BigInteger(), nullable=True),
        sa.Column("requests", sa.BigInteger(), nullable=True),
        sa.Column("claimed_at", sa.Text(), nullable=True),
        sa.Column("closed_at", sa.Text(), nullable=True),
        sa.Column("duration", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["run_id"],
            ["scrape_runs.run_id"],
            name="fk_scrape_run_items_run_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_id", "workflow_id", name="pk_scrape_run_items"),
    )
    op.create_index(
        "ix_scrape_run_items_claim",
        "scrape_run_items",
        ["run_id", "state", "position"],
        unique=False,
    )
    op.create_index(
        "ix_scrape_run_items_workflow_id", "scrape_run_items", ["workflow_id"], unique=False
    )


def downgrade() -> None:
    """Drop the tables with all that is in them."""
    op.drop_index("ix_scrape_run_items_workflow_id", table_name="scrape_run_items")
    op.drop_index("ix_scrape_run_items_claim", table_name="scrape_run_items")
    op.drop_table("scrape_run_items")
    op.drop_table("raw_answers")
    op.drop_index("ix_workflows_scraped_at", table_name="workflows")
    op.drop_index("ix_workflows_quality_score", table_name="workflows")
    op.drop_index("ix_workflows_outcome", table_name="workflows")
    op.drop_table("workflows")
    op.drop_index("ix_scrape_runs_started_at", table_name="scrape_runs")
    op.drop_table("scrape_runs")

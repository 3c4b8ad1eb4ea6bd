"""The tables that only templates have: themselves, and how often each was viewed."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from n8n_scraper.ledger.tables import Base


class WorkflowRow(Base):
    """One row a template; every field of `items.Template` is a column of the same name."""

    __tablename__ = "workflows"
    __table_args__ = (
        Index("ix_workflows_outcome", "outcome"),
        Index("ix_workflows_quality_score", "quality_score"),
        Index("ix_workflows_scraped_at", "scraped_at"),
    )

    workflow_id: Mapped[str] = mapped_column(primary_key=True)
    url: Mapped[str]
    slug: Mapped[str | None]
    title: Mapped[str | None]
    description: Mapped[str | None]
    author: Mapped[dict[str, Any] | None]
    categories: Mapped[list[Any] | None]
    created_at: Mapped[str | None]
    last_update_text: Mapped[str | None]
    views: Mapped[int | None]
    recent_views: Mapped[int | None]
    price: Mapped[float | None]
    purchase_url: Mapped[str | None]
    workflow: Mapped[dict[str, Any] | None]
    node_count: Mapped[int | None]
    note_count: Mapped[int | None]
    connection_count: Mapped[int | None]
    node_types: Mapped[dict[str, Any] | None]
    trigger_types: Mapped[list[Any] | None]
    credential_types: Mapped[list[Any] | None]
    community_nodes: Mapped[list[Any] | None]
    explainer: Mapped[dict[str, Any] | None]
    notes: Mapped[list[Any] | None]
    images: Mapped[list[Any] | None]
    videos: Mapped[list[Any] | None]
    transcripts: Mapped[list[Any] | None]
    quality: Mapped[dict[str, Any] | None]
    import_check: Mapped[dict[str, Any] | None]
    outcome: Mapped[str]
    layers: Mapped[dict[str, Any]]
    in_inventory: Mapped[bool]
    """Whether the site lists it; false as soon as it is removed."""
    unobserved: Mapped[dict[str, Any]]
    sources: Mapped[dict[str, Any]]
    content_hash: Mapped[str | None]
    run_id: Mapped[str]
    scraped_at: Mapped[str]
    processing_time: Mapped[float]
    removed_at: Mapped[str | None]
    """Since when the site has not had it any more; null as long as it has."""
    secrets: Mapped[list[Any] | None]
    """Kind, place and count of each finding, never a value."""
    other_video_links: Mapped[list[Any] | None]
    agreement: Mapped[dict[str, Any] | None]
    """Whether the answers say the same of it."""

    # Copies for questions in SQL.
    quality_score: Mapped[float | None]
    quality_grade: Mapped[str | None]


class ViewSampleRow(Base):
    """How often a template had been viewed at one moment."""

    __tablename__ = "view_samples"

    workflow_id: Mapped[str] = mapped_column(
        ForeignKey("workflows.workflow_id", ondelete="CASCADE"), primary_key=True
    )
    at: Mapped[str] = mapped_column(primary_key=True)
    views: Mapped[int | None]
    recent_views: Mapped[int | None]
    run_id: Mapped[str]

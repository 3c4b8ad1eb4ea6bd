"""The tables of what is stored, a sentence under each column where its name does not say it all.

Times are as in `ledger.tables`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, LargeBinary
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


class RawAnswerRow(Base):
    """The latest answer of each layer exactly as it came, compressed."""

    __tablename__ = "raw_answers"

    workflow_id: Mapped[str] = mapped_column(
        ForeignKey("workflows.workflow_id", ondelete="CASCADE"), primary_key=True
    )
    layer: Mapped[str] = mapped_column(primary_key=True)
    url: Mapped[str]
    http_status: Mapped[int]
    fetched_at: Mapped[str]
    body: Mapped[bytes] = mapped_column(LargeBinary)
    """zstd-compressed; zlib-compressed where an earlier version wrote it."""
    body_bytes: Mapped[int]
    """Length before compression."""
    body_sha256: Mapped[str]
    run_id: Mapped[str]


class VersionRow(Base):
    """What the author of a template had written, each time that it was found changed."""

    __tablename__ = "workflow_versions"

    workflow_id: Mapped[str] = mapped_column(
        ForeignKey("workflows.workflow_id", ondelete="CASCADE"), primary_key=True
    )
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """1, 2, 3 …"""
    content_hash: Mapped[str | None]
    run_id: Mapped[str]
    seen_at: Mapped[str]
    content: Mapped[bytes] = mapped_column(LargeBinary)
    """JSON, compressed: title, description, author, categories, price, purchase_url, workflow."""


class EventRow(Base):
    """One thing that happened to a template."""

    __tablename__ = "workflow_events"
    __table_args__ = (
        Index("ix_workflow_events_at", "at"),
        Index("ix_workflow_events_run_id", "run_id"),
        Index("ix_workflow_events_workflow_id", "workflow_id"),
    )

    # SQLite numbers rows by itself only under this type.
    id: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer(), "sqlite"), primary_key=True
    )
    workflow_id: Mapped[str] = mapped_column(
        ForeignKey("workflows.workflow_id", ondelete="CASCADE")
    )
    run_id: Mapped[str]
    at: Mapped[str]
    kind: Mapped[str]
    """new, changed, renamed, removed or returned."""
    details: Mapped[dict[str, Any]]


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


class VideoTranscriptRow(Base):
    """What a video says, or why that could not be had; one row a video."""

    __tablename__ = "video_transcripts"

    video_id: Mapped[str] = mapped_column(primary_key=True)
    outcome: Mapped[str]
    language: Mapped[str | None]
    generated: Mapped[bool | None]
    """Whether a machine wrote it down."""
    segments: Mapped[list[Any] | None]
    """Each with its time."""
    text: Mapped[str | None]
    reason: Mapped[str | None]
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    fetched_at: Mapped[str | None]


class StoredImageRow(Base):
    """A picture that was fetched, or why it could not be; one row an address."""

    __tablename__ = "stored_images"

    url: Mapped[str] = mapped_column(primary_key=True)
    sha256: Mapped[str | None]
    path: Mapped[str | None]
    """Below the folder of pictures."""
    bytes: Mapped[int | None]
    width: Mapped[int | None]
    height: Mapped[int | None]
    media_type: Mapped[str | None]
    text: Mapped[str | None]
    """What is written in it, where that was read."""
    reason: Mapped[str | None]
    fetched_at: Mapped[str | None]

"""The table of the events."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from n8n_scraper.ledger.tables import Base


class HkEventRow(Base):
    """One row an event; every field of `item.Event` is a column of the same name."""

    __tablename__ = "events"
    __table_args__ = (
        Index("ix_events_start", "start"),
        Index("ix_events_outcome", "outcome"),
        Index("ix_events_scraped_at", "scraped_at"),
    )

    event_id: Mapped[str] = mapped_column(primary_key=True)
    url: Mapped[str | None]
    title: Mapped[str | None]
    title_zh: Mapped[str | None]
    languages: Mapped[list[Any]]
    start: Mapped[str | None]
    end: Mapped[str | None]
    timezone: Mapped[str]
    all_day: Mapped[bool | None]
    occurrences: Mapped[list[Any]]
    schedule: Mapped[str | None]
    """The days and times in the source's own words."""
    schedule_doubts: Mapped[list[Any]]
    date_disagreement: Mapped[dict[str, Any] | None]
    """Days that only one of the two files knows; null where they agree."""
    venue: Mapped[dict[str, Any] | None]
    price: Mapped[dict[str, Any] | None]
    description: Mapped[str | None]
    description_zh: Mapped[str | None]
    categories: Mapped[list[Any]]
    organiser: Mapped[str | None]
    age_limit: Mapped[str | None]
    duration: Mapped[str | None]
    remark: Mapped[str | None]
    ticket_url: Mapped[str | None]
    on_sale_since: Mapped[str | None]
    submitted_at: Mapped[str | None]
    status: Mapped[str]
    """active, cancelled or postponed."""
    quality: Mapped[dict[str, Any] | None]
    outcome: Mapped[str]
    parts: Mapped[dict[str, Any]]
    in_inventory: Mapped[bool]
    """Whether the source lists it; false as soon as it is removed."""
    removed_at: Mapped[str | None]
    """Since when the source has not had it any more; null as long as it has."""
    unobserved: Mapped[dict[str, Any]]
    sources: Mapped[dict[str, Any]]
    content_hash: Mapped[str | None]
    run_id: Mapped[str]
    scraped_at: Mapped[str]
    processing_time: Mapped[float]

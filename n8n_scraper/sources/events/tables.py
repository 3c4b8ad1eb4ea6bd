"""The table of the events of all sites."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from n8n_scraper.ledger.tables import Base


class SiteEventRow(Base):
    """One row an event; every field of `item.SiteEvent` is a column of the same name."""

    __tablename__ = "site_events"
    __table_args__ = (
        Index("ix_site_events_site", "site"),
        Index("ix_site_events_start", "start"),
        Index("ix_site_events_outcome", "outcome"),
        Index("ix_site_events_scraped_at", "scraped_at"),
    )

    event_id: Mapped[str] = mapped_column(primary_key=True)
    site: Mapped[str]
    """The name of its entry in the sources file."""
    source_event_id: Mapped[str | None]
    """What the site itself calls it."""
    url: Mapped[str | None]
    title: Mapped[str | None]
    start: Mapped[str | None]
    end: Mapped[str | None]
    timezone: Mapped[str]
    """In which it is announced; the times themselves are in UTC."""
    all_day: Mapped[bool | None]
    occurrences: Mapped[list[Any]]
    schedule: Mapped[str | None]
    """The words that days and times were read from."""
    schedule_doubts: Mapped[list[Any]]
    location: Mapped[str | None]
    venue: Mapped[dict[str, Any] | None]
    price: Mapped[str | None]
    """What admission costs, in the site's own words."""
    price_min: Mapped[float | None]
    price_max: Mapped[float | None]
    currency: Mapped[str | None]
    is_free: Mapped[bool | None]
    """Null where nothing says it."""
    description: Mapped[str | None]
    images: Mapped[list[Any]]
    categories: Mapped[list[Any]]
    organiser: Mapped[str | None]
    status: Mapped[str]
    """active, cancelled, postponed, rescheduled or moved_online, as the site says it."""
    issues: Mapped[list[Any]]
    classification: Mapped[dict[str, Any] | None]
    """What it was taken for, how sure that is, and why."""
    quality: Mapped[dict[str, Any] | None]
    outcome: Mapped[str]
    parts: Mapped[dict[str, Any]]
    in_inventory: Mapped[bool]
    """Whether the site lists it; false as soon as it is removed."""
    removed_at: Mapped[str | None]
    """Since when the site has not listed it any more; null as long as it does."""
    unobserved: Mapped[dict[str, Any]]
    sources: Mapped[dict[str, Any]]
    content_hash: Mapped[str | None]
    run_id: Mapped[str]
    scraped_at: Mapped[str]
    processing_time: Mapped[float]

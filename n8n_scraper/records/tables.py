"""The tables of what is stored of items of every source besides the items themselves."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Index, Integer, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from n8n_scraper.ledger.tables import Base


class RawAnswerRow(Base):
    """The latest answer of each part of an item exactly as it came, compressed."""

    __tablename__ = "raw_answers"

    source: Mapped[str] = mapped_column(primary_key=True)
    """The name of the source that the item is one of."""
    item_id: Mapped[str] = mapped_column(primary_key=True)
    part: Mapped[str] = mapped_column(primary_key=True)
    url: Mapped[str]
    http_status: Mapped[int]
    fetched_at: Mapped[str]
    body: Mapped[bytes] = mapped_column(LargeBinary)
    """zstd-compressed; zlib-compressed where an earlier version wrote it."""
    body_bytes: Mapped[int]
    """Length before compression."""
    body_sha256: Mapped[str]
    run_id: Mapped[str]


class RereadingRow(Base):
    """How far a rereading has come that was not brought to its end; one row a source."""

    __tablename__ = "rereadings"

    source: Mapped[str] = mapped_column(primary_key=True)
    asked: Mapped[dict[str, Any]]
    """Which items, as that was typed, and which computed fields are not wanted."""
    readers: Mapped[str]
    """A fingerprint of the code that reads: what other code has read is read again."""
    since: Mapped[str | None]
    """The moment that was meant by a span of time."""
    after: Mapped[str]
    """The last item that is through, in the order of the table's key."""
    items: Mapped[int]
    """How many are."""
    at: Mapped[str]


class VersionRow(Base):
    """What the author of an item had written, each time that it was found changed."""

    __tablename__ = "item_versions"

    source: Mapped[str] = mapped_column(primary_key=True)
    item_id: Mapped[str] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """1, 2, 3 …"""
    content_hash: Mapped[str | None]
    run_id: Mapped[str]
    seen_at: Mapped[str]
    content: Mapped[bytes] = mapped_column(LargeBinary)
    """JSON, compressed: the fields that its authors can edit."""


class EventRow(Base):
    """One thing that happened to an item."""

    __tablename__ = "item_events"
    __table_args__ = (
        Index("ix_item_events_at", "at"),
        Index("ix_item_events_run_id", "run_id"),
        Index("ix_item_events_item_id", "item_id"),
    )

    # SQLite numbers rows by itself only under this type.
    id: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer(), "sqlite"), primary_key=True
    )
    source: Mapped[str]
    item_id: Mapped[str]
    run_id: Mapped[str]
    at: Mapped[str]
    kind: Mapped[str]
    """new, changed, renamed, removed or returned."""
    details: Mapped[dict[str, Any]]


class ItemFeaturesRow(Base):
    """What an item is compared by; one row for each item that was looked at."""

    __tablename__ = "item_features"

    source: Mapped[str] = mapped_column(primary_key=True)
    item_id: Mapped[str] = mapped_column(primary_key=True)
    size: Mapped[int]
    """How many features it has."""
    features: Mapped[bytes] = mapped_column(LargeBinary)
    """Numbers of 32 bits each, little-endian, rising."""


class FirstFeatureRow(Base):
    """One of the first features of an item, by which those that may be like it are found."""

    __tablename__ = "first_features"
    __table_args__ = (Index("ix_first_features_item_id", "source", "item_id"),)

    source: Mapped[str] = mapped_column(primary_key=True)
    feature: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    item_id: Mapped[str] = mapped_column(primary_key=True)


class LookAlikesRow(Base):
    """Two items that are nearly the same; one row a pair."""

    __tablename__ = "look_alikes"
    __table_args__ = (Index("ix_look_alikes_other_id", "source", "other_id"),)

    source: Mapped[str] = mapped_column(primary_key=True)
    item_id: Mapped[str] = mapped_column(primary_key=True)
    """The smaller of the two ids, as text."""
    other_id: Mapped[str] = mapped_column(primary_key=True)
    similarity: Mapped[float]
    """Shared features ÷ all features of both, from 0.8 to 1."""


class OccasionRow(Base):
    """What an item announces, as others are compared with it; one row an item looked at."""

    __tablename__ = "occasions"
    __table_args__ = (Index("ix_occasions_day", "day"),)

    source: Mapped[str] = mapped_column(primary_key=True)
    item_id: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[str | None]
    """The local day on which it begins; null where it tells too little to be compared."""
    told: Mapped[str]
    """JSON: its titles, times, venues and addresses as it tells them."""


class MatchRow(Base):
    """Two items that announce the same happening, of one source or of two; one row a pair."""

    __tablename__ = "matches"
    __table_args__ = (Index("ix_matches_other", "other_source", "other_id"),)

    source: Mapped[str] = mapped_column(primary_key=True)
    item_id: Mapped[str] = mapped_column(primary_key=True)
    """With its source, the smaller of the two as text."""
    other_source: Mapped[str] = mapped_column(primary_key=True)
    other_id: Mapped[str] = mapped_column(primary_key=True)
    tier: Mapped[str]
    """exact, fuzzy or address."""
    evidence: Mapped[dict[str, Any]]
    """What was compared, and how much of it is the same."""


class ReviewRow(Base):
    """An item of which it is doubtful what it is, or of which a person has said it."""

    __tablename__ = "reviews"

    source: Mapped[str] = mapped_column(primary_key=True)
    item_id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    """What it was taken for: event, attraction or invalid."""
    confidence: Mapped[float]
    reasons: Mapped[list[Any]]
    asked_at: Mapped[str]
    """Since when it waits to be looked at."""
    verdict: Mapped[str | None]
    """accepted or rejected, as a person has said; null where nobody has."""
    decided_at: Mapped[str | None]


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

"""The times that people read: ISO 8601 in UTC."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> str:
    """The time now, as it stands in every table."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

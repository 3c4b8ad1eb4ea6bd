"""Turn the source's local times into the text that stands in every table."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from n8n_scraper.sources.hk_events.item import TIMEZONE

_ZONE = ZoneInfo(TIMEZONE)


def as_text(moment: datetime) -> str:
    """Write a moment as ISO 8601 in UTC, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def stamp(text: str | None) -> datetime | None:
    """Read one of the source's own time stamps, which are local; None where it is none."""
    try:
        local = datetime.strptime((text or "").strip(), "%Y-%m-%d %H:%M:%S.%f")
    except ValueError:
        return None
    return local.replace(tzinfo=_ZONE)

"""Read the moment that a person means by a day, a time or a span of time."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_SPAN = re.compile(r"([0-9]{1,6})\s*([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def moment(text: str, now: str) -> str | None:
    """Give the moment as it would stand in a table; None when the text names none."""
    given = text.strip()
    try:
        if span := _SPAN.fullmatch(given):
            length = timedelta(**{_UNITS[span[2]]: int(span[1])})
            return _as_stored(datetime.fromisoformat(now) - length)
        # Without these signs it is a run's id, which Python would take for a time as well.
        if "-" in given[:5]:
            when = datetime.fromisoformat(given)
            return _as_stored(when if when.tzinfo else when.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None
    return None


def _as_stored(when: datetime) -> str:
    text = when.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")

"""Read a day or a moment as programs write it, and say when something begins and ends."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo

from n8n_scraper.reading.schedule import NEVER, Schedule, Span
from n8n_scraper.reading.values import Occurrence

_ISO = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:(?:\s+|T)(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?",
    re.IGNORECASE,
)
_BASIC = re.compile(r"(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{4})?)?")
_OF_A_BROWSER = re.compile(
    r"[A-Z][a-z]{2} ([A-Z][a-z]{2} \d{1,2} \d{4} \d\d:\d\d:\d\d) "
    r"(?:GMT|UTC)([+-]\d{4})?(?: \([^()]*\))?"
)
_SECONDS = re.compile(r"\d{9,10}(?:\d{3})?")
_DAY = timedelta(days=1)
# What lies before is a field that was never filled, as is the year that stands for no date.
_FIRST_YEAR = 1971


@dataclass(frozen=True, slots=True)
class Point:
    """A local day, and the moment in UTC where a time of day is told."""

    day: date
    at: datetime | None = None


def zone_of(name: str | None) -> ZoneInfo | None:
    """Give the time zone of an IANA name; None where there is none of that name."""
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):
        return None


def read_point(value: object, zone: ZoneInfo) -> Point | None:
    """Read ISO 8601 in its forms, seconds since 1970, or the date of a mail; None for the rest.

    A time without an offset is local.
    """
    text = str(value).strip() if isinstance(value, (str, int, float)) else ""
    if isinstance(value, bool) or not text or len(text) > 80:
        return None
    try:
        found = _iso(text, zone) or _seconds(text, zone) or _mail(text, zone) or _said(text, zone)
    except (ValueError, OverflowError, OSError):
        return None
    return found if found and _FIRST_YEAR <= found.day.year < NEVER else None


def _iso(text: str, zone: ZoneInfo) -> Point | None:
    match = _ISO.fullmatch(text) or _BASIC.fullmatch(text)
    if match is None:
        return None
    day = date(int(match[1]), int(match[2]), int(match[3]))
    if match[4] is None:
        return Point(day)
    at = time(int(match[4]), int(match[5]), int(match[6] or 0))
    local = datetime.combine(day, at, _offset(match[7]) or zone)
    return _point(local, zone)


def _offset(text: str | None) -> tzinfo | None:
    """Give a zone of this offset; None where none is told."""
    if text is None:
        return None
    parsed = datetime.strptime("+0000" if text.upper() in ("Z", "UTC") else _full(text), "%z")
    return parsed.tzinfo


def _full(offset: str) -> str:
    bare = offset.replace(":", "")
    return bare if len(bare) == 5 else f"{bare}00"


def _seconds(text: str, zone: ZoneInfo) -> Point | None:
    if not _SECONDS.fullmatch(text.removesuffix(".0")):
        return None
    number = int(text.removesuffix(".0"))
    return _point(datetime.fromtimestamp(number / 1000 if number > 10**11 else number, UTC), zone)


def _mail(text: str, zone: ZoneInfo) -> Point | None:
    if not re.match(r"(?:[A-Za-z]{3},\s*)?\d{1,2} [A-Za-z]{3} \d{4} \d", text):
        return None
    found = parsedate_to_datetime(text)
    return _point(found if found.tzinfo else found.replace(tzinfo=zone), zone)


def _said(text: str, zone: ZoneInfo) -> Point | None:
    """Read a moment as browsers say it: "Sat Sep 27 2025 20:00:00 GMT+0800 (…)"."""
    match = _OF_A_BROWSER.fullmatch(text)
    if match is None:
        return None
    return _point(
        datetime.strptime(f"{match[1]} {match[2] or '+0000'}", "%b %d %Y %H:%M:%S %z"), zone
    )


def _point(moment: datetime, zone: ZoneInfo) -> Point:
    return Point(moment.astimezone(zone).date(), moment.astimezone(UTC))


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """Give the moment at which a local day begins."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def between(
    start: Point, end: Point | None, zone: ZoneInfo, *, end_is_exclusive: bool = False
) -> tuple[Occurrence, list[str]]:
    """Give the time from one point to another, and what does not fit together.

    The last day of something that is told in days is within it, unless the end is exclusive.
    """
    if start.at is None:
        last = start.day
        doubts = []
        if end is not None and end.at is None and end_is_exclusive:
            last = max(end.day - _DAY, start.day)
        elif end is not None:
            last = end.day
        if last < start.day:
            doubts = [f"it ends on {last}, before it begins on {start.day}"]
            last = start.day
        days = Occurrence(midnight(start.day, zone), midnight(last + _DAY, zone), all_day=True)
        return days, doubts
    doubts = _doubts_of_midnight(start.at, end, zone)
    if end is None or end.at == start.at or (end.at is None and end.day == start.day):
        return Occurrence(start.at), doubts
    if end.at is None:
        return Occurrence(start.at), [*doubts, f"it ends on {end.day}, at no time that is told"]
    if end.at < start.at:
        return Occurrence(start.at), [*doubts, f"it ends at {end.at}, before it begins"]
    return Occurrence(start.at, end.at), doubts


def _doubts_of_midnight(at: datetime, end: Point | None, zone: ZoneInfo) -> list[str]:
    """Doubt a time that may only be what a program writes for a day."""
    if at.astimezone(zone).time() != time():
        return []
    if end and end.at and end.at.astimezone(zone).time() not in (time(), time(23, 59), _LAST):
        return []
    return ["it begins at midnight: perhaps only the day is meant"]


_LAST = time(23, 59, 59)


def in_order(occurrences: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
    """Give each of them once, the earliest first."""
    return tuple(sorted(set(occurrences), key=lambda one: (one.start, one.end or one.start)))


def occurrences_of(schedule: Schedule, zone: ZoneInfo) -> tuple[Occurrence, ...]:
    """Give the times that a schedule tells; days that follow each other, all day, are one."""
    return in_order(_occurrences(schedule, zone))


def _occurrences(schedule: Schedule, zone: ZoneInfo) -> Iterator[Occurrence]:
    days = list(schedule.days.items())
    at = 0
    while at < len(days):
        day, spans = days[at]
        at += 1
        if spans:
            yield from (_timed(day, span, zone) for span in spans)
            continue
        last = day
        while at < len(days) and not days[at][1] and days[at][0] == last + _DAY:
            last = days[at][0]
            at += 1
        yield Occurrence(midnight(day, zone), midnight(last + _DAY, zone), all_day=True)


def _timed(day: date, span: Span, zone: ZoneInfo) -> Occurrence:
    start = datetime.combine(day, span.start, zone).astimezone(UTC)
    if span.end is None:
        return Occurrence(start)
    # What ends before it begins ends on the next day.
    last = day if span.end > span.start else day + _DAY
    return Occurrence(start, datetime.combine(last, span.end, zone).astimezone(UTC))

"""Read the events of an iCalendar file, and the days on which they come again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from n8n_scraper.reading.moments import Point, between, in_order, read_point, zone_of
from n8n_scraper.reading.structured.recurrence import MOST_DAYS, Rule, read_rule
from n8n_scraper.reading.values import Occurrence

_LINE = re.compile(r"([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:\"[^\"]*\"|[^;:\"]*))*+):(.*)", re.DOTALL)
_PARAMETER = re.compile(r";([A-Za-z0-9-]+)=(?:\"([^\"]*)\"|([^;:\"]*))")
_ESCAPED = re.compile(r"\\([nN,;\\])")
_DURATION = re.compile(r"\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
MOST_EVENTS = 5_000


@dataclass(frozen=True, slots=True)
class Line:
    """A property as the file has it."""

    parameters: dict[str, str]
    value: str

    @property
    def words(self) -> str:
        """The value without the signs that stand for others."""
        return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], self.value)


@dataclass(slots=True)
class Entry:
    """An event of the file: its properties by name, in the order of the file."""

    lines: dict[str, list[Line]] = field(default_factory=dict)

    def line(self, name: str) -> Line | None:
        """Give the first property of this name."""
        found = self.lines.get(name)
        return found[0] if found else None

    def words(self, name: str) -> str | None:
        """Give what the first property of this name says; None where it says nothing."""
        found = self.line(name)
        return (found.words.strip() or None) if found else None


@dataclass(frozen=True, slots=True)
class CalendarFile:
    """The events of a file, and the zone of times that name none."""

    entries: list[Entry]
    zone: str | None


def read_calendar(text: str) -> CalendarFile:
    """Give the events of the file; what is no line of a calendar is passed over."""
    entries: list[Entry] = []
    zone, inside, entry = None, list[str](), None
    for name, line in _lines(text):
        if name == "BEGIN":
            inside.append(line.value.strip().upper())
            if inside[-1] == "VEVENT" and len(entries) < MOST_EVENTS:
                entry = Entry()
                entries.append(entry)
        elif name == "END":
            ended = inside.pop() if inside else ""
            entry = None if ended == "VEVENT" else entry
        elif entry and inside[-1:] == ["VEVENT"]:
            entry.lines.setdefault(name, []).append(line)
        elif name == "X-WR-TIMEZONE":
            zone = line.value.strip()
    return CalendarFile(entries, zone)


def _lines(text: str) -> Iterator[tuple[str, Line]]:
    unfolded = re.sub(r"\r?\n[ \t]", "", text)
    for line in re.split(r"\r?\n", unfolded):
        if match := _LINE.fullmatch(line):
            parameters = {
                name.upper(): quoted or plain
                for name, quoted, plain in _PARAMETER.findall(match[2])
            }
            yield match[1].upper(), Line(parameters, match[3])


@dataclass(frozen=True, slots=True)
class Times:
    """When an event of a calendar takes place."""

    occurrences: tuple[Occurrence, ...]
    doubts: tuple[str, ...]
    zone: str | None
    """The zone that its times name, where that is a known one."""


@dataclass(frozen=True, slots=True)
class Within:
    """Between which days an event that comes again is told, and how often at the most."""

    since: date
    until: date
    most: int = MOST_DAYS


def times_of(entry: Entry, zone: ZoneInfo, within: Within) -> Times:
    """Give the times of an event; what goes on after the last one is a doubt.

    An event that came for the last time long ago is told by its first time.
    """
    line = entry.line("DTSTART")
    if line is None:
        return Times((), (), None)
    named = zone_of(line.parameters.get("TZID"))
    doubts = []
    if named is None and line.parameters.get("TZID"):
        doubts.append(f"no time zone: {line.parameters['TZID'][:60]}")
    zone = named or zone
    start = read_point(line.value, zone)
    if start is None:
        return Times((), (*doubts, f"not understood: {line.value[:40]}"), None)
    first, more = between(start, _end(entry, start, zone), zone, end_is_exclusive=True)
    found, unread = _again(entry, first, start, zone, within)
    return Times(tuple(found), (*doubts, *more, *unread), named.key if named else None)


def _end(entry: Entry, start: Point, zone: ZoneInfo) -> Point | None:
    if line := entry.line("DTEND"):
        return read_point(line.value, zone_of(line.parameters.get("TZID")) or zone)
    line = entry.line("DURATION")
    match = _DURATION.fullmatch(line.value.strip()) if line else None
    if not match or not any(match.groups()):
        return None
    weeks, days, hours, minutes, seconds = (min(int(part or 0), 10**6) for part in match.groups())
    length = timedelta(weeks * 7 + days, hours=hours, minutes=minutes, seconds=seconds)
    try:
        if start.at is None:
            return Point(start.day + length)
        return Point(start.day, start.at + length)
    except OverflowError:
        return None


def _again(
    entry: Entry, first: Occurrence, start: Point, zone: ZoneInfo, within: Within
) -> tuple[list[Occurrence], list[str]]:
    doubts: list[str] = []
    days = [start.day]
    if line := entry.line("RRULE"):
        rule = read_rule(line.value, start.day, zone)
        if isinstance(rule, Rule):
            days = list(rule.days(within.since, within.until, within.most)) or days
            if rule.goes_on_after(days[-1]):
                doubts.append(f"it comes again after {days[-1]}")
        else:
            doubts.append(f"comes again in a way that is not understood: {rule}")
    moved = (_moved(first, start.day, day, zone) for day in days)
    left_out = set(_listed(entry, "EXDATE", zone))
    found = [one for one in moved if not _is_in(one, left_out, zone)]
    found += [_at(first, start.day, point, zone) for point in _listed(entry, "RDATE", zone)]
    return list(in_order(found)), doubts


def _at(first: Occurrence, from_day: date, point: Point, zone: ZoneInfo) -> Occurrence:
    """Give the same length of time from another point."""
    if point.at is None:
        return _moved(first, from_day, point.day, zone)
    return Occurrence(point.at, point.at + (first.end - first.start) if first.end else None)


def _moved(first: Occurrence, from_day: date, day: date, zone: ZoneInfo) -> Occurrence:
    """Give the same local times on another day, whatever the clocks do in between."""

    def on_that_day(moment: datetime) -> datetime:
        local = moment.astimezone(zone).replace(tzinfo=None) + (day - from_day)
        return local.replace(tzinfo=zone).astimezone(first.start.tzinfo)

    end = on_that_day(first.end) if first.end else None
    return Occurrence(on_that_day(first.start), end, first.all_day)


def _listed(entry: Entry, name: str, zone: ZoneInfo) -> Iterator[Point]:
    for line in entry.lines.get(name, [])[:500]:
        of_line = zone_of(line.parameters.get("TZID")) or zone
        for value in line.value.split(",")[:500]:
            if point := read_point(value.partition("/")[0], of_line):
                yield point


def _is_in(one: Occurrence, points: set[Point], zone: ZoneInfo) -> bool:
    day = one.start.astimezone(zone).date()
    return Point(day) in points or Point(day, one.start) in points

"""Join the days that the dates file gives with the times that the words give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from n8n_scraper.reading.schedule import Schedule, Span, read_schedule
from n8n_scraper.reading.schedule_tokens import Unreadable
from n8n_scraper.sources.hk_events.clock import as_text
from n8n_scraper.sources.hk_events.item import TIMEZONE, DateDisagreement, Occurrence

_ZONE = ZoneInfo(TIMEZONE)
# The year that stands for "no date" in the dates file.
_NEVER = 2099


@dataclass(frozen=True, slots=True)
class Times:
    """When an event takes place, and what of it is doubtful or not told."""

    occurrences: list[Occurrence]
    doubts: list[str]
    disagreement: DateDisagreement | None
    unread: str | None  # why the words give no times


def join(days: Iterable[str] | None, words: str | None) -> Times:
    """Give every day of the dates file with the time that the words tell of it.

    The days of the words count only where the dates file does not know the event at all (None).
    """
    doubts: list[str] = []
    schedule, unread = _read(words)
    if days is None:
        doubts.append("the dates file does not know this event")
        dates = list(schedule.days) if schedule else []
    else:
        dates = sorted(set(_dates(days, doubts)))
    if schedule is None:
        return Times([_unknown(day) for day in dates], doubts, None, unread)
    doubts.extend(schedule.doubts)
    occurrences = [one for day in dates for one in _of_day(day, schedule)]
    return Times(occurrences, doubts, _disagreement(dates, schedule), None)


def _dates(days: Iterable[str], doubts: list[str]) -> Iterator[date]:
    for text in days:
        try:
            day = datetime.strptime(text, "%Y%m%d").date()
        except ValueError:
            doubts.append(f"no day: {text[:20]}")
            continue
        if day.year < _NEVER:
            yield day


def _read(words: str | None) -> tuple[Schedule | None, str | None]:
    if words is None:
        return None, "the source gives no schedule"
    try:
        return read_schedule(words), None
    except Unreadable as error:
        return None, f"not understood: {error}"


def _disagreement(dates: list[date], schedule: Schedule) -> DateDisagreement | None:
    told, listed = set(schedule.days), set(dates)
    if told == listed:
        return None
    return DateDisagreement(
        only_in_text=[day.isoformat() for day in sorted(told - listed)],
        only_in_dates=[day.isoformat() for day in sorted(listed - told)],
    )


def _of_day(day: date, schedule: Schedule) -> list[Occurrence]:
    if day not in schedule.days:
        return [_unknown(day)]
    if spans := schedule.days[day]:
        return [_timed(day, span) for span in spans]
    if schedule.tells_times:
        return [_unknown(day)]
    midnight, next_midnight = (_utc(one, time()) for one in (day, day + timedelta(days=1)))
    return [Occurrence(date=day.isoformat(), start=midnight, end=next_midnight, all_day=True)]


def _timed(day: date, span: Span) -> Occurrence:
    end = None
    if span.end is not None:
        # What ends before it begins ends on the next day.
        last = day if span.end > span.start else day + timedelta(days=1)
        end = _utc(last, span.end)
    return Occurrence(date=day.isoformat(), start=_utc(day, span.start), end=end, all_day=False)


def _unknown(day: date) -> Occurrence:
    return Occurrence(date=day.isoformat(), start=None, end=None, all_day=None)


def _utc(day: date, at: time) -> str:
    return as_text(datetime.combine(day, at, _ZONE))

"""Put an event together: its record, its days, and its venue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from n8n_scraper.sources.hk_events.files import Record
from n8n_scraper.sources.hk_events.item import TIMEZONE, Event, Venue
from n8n_scraper.sources.hk_events.names import line, lines, status
from n8n_scraper.sources.hk_events.occurrences import Times, join
from n8n_scraper.sources.hk_events.prices import read_price

_NOT_GIVEN = "the source gives none"


def assemble(
    event_id: str, record: Record, days: Iterable[str] | None, venues: Mapping[str, Record]
) -> Event:
    """Give the event, with a reason for each field that the source does not fill.

    `days` is None where the dates file does not know the event.
    """
    title_en, title_zh = line(record.get("titlee")), line(record.get("titlec"))
    times = join(days, lines(record.get("predateE")))
    unobserved: dict[str, str] = {}
    fields: dict[str, Any] = {
        "url": line(record.get("urle")) or line(record.get("urlc")),
        "title": title_en or title_zh,
        "title_zh": title_zh,
        "venue": _venue(line(record.get("venueid")), venues, unobserved),
        "price": read_price(line(record.get("pricee")) or ""),
        "description": lines(record.get("desce")),
        "description_zh": lines(record.get("descc")),
        "organiser": line(record.get("presenterorge")) or line(record.get("presenterorgc")),
        "age_limit": line(record.get("agelimite")),
        "duration": line(record.get("progtimee")),
        "remark": lines(record.get("remarke")),
        "ticket_url": line(record.get("tagenturle")),
        "on_sale_since": _day(record.get("saledate")),
        "submitted_at": _moment(record.get("submitdate")),
        "schedule": lines(record.get("predateE")),
        **_span(times, unobserved),
    }
    for name, value in fields.items():
        if value is None:
            unobserved.setdefault(name, _NOT_GIVEN)
    return Event(
        event_id=event_id,
        languages=[code for code, text in (("en", title_en), ("zh-Hant", title_zh)) if text],
        occurrences=times.occurrences,
        schedule_doubts=times.doubts,
        date_disagreement=times.disagreement,
        categories=[code for name in ("cat1", "cat2") if (code := line(record.get(name)))],
        status=status(title_en, title_zh),
        unobserved=unobserved,
        **fields,
    )


def _span(times: Times, unobserved: dict[str, str]) -> dict[str, Any]:
    """From the first occurrence's start to the last one's end."""
    span: dict[str, Any] = {"start": None, "end": None, "all_day": None}
    if not times.occurrences:
        unobserved.update(dict.fromkeys(span, "the source gives no day"))
        return span
    first, last = times.occurrences[0], times.occurrences[-1]
    span["start"], span["end"] = first.start, last.end
    kinds = {one.all_day for one in times.occurrences} - {None}
    span["all_day"] = kinds.pop() if len(kinds) == 1 else None
    why = times.unread or "the words tell no time of that day"
    if first.start is None:
        unobserved["start"] = why
    if last.end is None:
        unobserved["end"] = why if last.start is None else "the source tells no end"
    if span["all_day"] is None:
        unobserved["all_day"] = "some days have a time and some have none" if kinds else why
    return span


def _venue(
    venue_id: str | None, venues: Mapping[str, Record], unobserved: dict[str, str]
) -> Venue | None:
    if venue_id is None:
        return None
    record = venues.get(venue_id)
    if record is None:
        unobserved["venue"] = f"the venues file has no venue {venue_id}"
        return None
    return Venue(
        venue_id=venue_id,
        name=line(record.get("venuee")),
        name_zh=line(record.get("venuec")),
        latitude=_number(record.get("latitude")),
        longitude=_number(record.get("longitude")),
    )


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text and text.strip() else None
    except ValueError:
        return None


def _moment(text: str | None) -> datetime | None:
    """Read the source's own time stamps, which are local."""
    try:
        local = datetime.strptime((text or "").strip(), "%Y-%m-%d %H:%M:%S.%f")
    except ValueError:
        return None
    return local.replace(tzinfo=ZoneInfo(TIMEZONE)).astimezone(UTC)


def _day(text: str | None) -> str | None:
    moment = _moment(text)
    return moment.astimezone(ZoneInfo(TIMEZONE)).date().isoformat() if moment else None

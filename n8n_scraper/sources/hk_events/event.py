"""Put an event together: its record, its days, and its venue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from n8n_scraper.core.dossier import Answer, Dossier
from n8n_scraper.core.errors import UnreadableAnswer
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.core.source import Provenance
from n8n_scraper.policies.failure.category import classify
from n8n_scraper.policies.run.outcome import outcome_of
from n8n_scraper.reading.words import line, lines
from n8n_scraper.sources.hk_events.clock import as_text, stamp
from n8n_scraper.sources.hk_events.files import Record
from n8n_scraper.sources.hk_events.item import Event, Venue
from n8n_scraper.sources.hk_events.names import status, title_of
from n8n_scraper.sources.hk_events.occurrences import Times, join
from n8n_scraper.sources.hk_events.pieces import Pieces, read_pieces
from n8n_scraper.sources.hk_events.prices import read_price
from n8n_scraper.sources.hk_events.rules.computed import COMPUTED
from n8n_scraper.sources.hk_events.source import PART

_NOT_GIVEN = "the source gives none"
# Which of the files a field is read from, where it is not that of the events.
_OF_OTHER_FILES = {
    "venue": "venues",
    **dict.fromkeys(("occurrences", "start", "end", "all_day"), "dates"),
}
# What stands in a field whatever the files say is not read from any.
_OF_NO_FILE = ("date_disagreement", "schedule_doubts")


def read(dossier: Dossier, answer: Answer) -> None:
    """Read the pieces of an event, and settle its part by whether they can be read."""
    dossier.answers[answer.part] = answer
    try:
        dossier.read[answer.part] = read_pieces(answer.body, dossier.item_id)
    except UnreadableAnswer as error:
        category = classify(exception=error)
        dossier.settle(answer.part, PartStatus.FAILED, str(error), category, answer.http_status)
    else:
        dossier.settle(answer.part, PartStatus.OK, http_status=answer.http_status)


def assemble(dossier: Dossier, provenance: Provenance) -> Event:
    """Give the event, with a reason for each field that the source does not fill."""
    pieces = cast(Pieces, dossier.read[PART])
    unobserved = {one.field: one.not_yet for one in COMPUTED}
    fields = _fields(pieces, unobserved)
    for name, value in fields.items():
        if value is None and name not in _OF_NO_FILE:
            unobserved.setdefault(name, _NOT_GIVEN)
    return Event(
        event_id=dossier.item_id,
        outcome=outcome_of(dossier.parts),
        parts={PART: dossier.parts[PART]},
        in_inventory=dossier.planned.listed,
        unobserved=unobserved,
        sources={name: _file(name, pieces) for name in fields if fields[name] is not None},
        run_id=provenance.run_id,
        scraped_at=provenance.scraped_at,
        processing_time=provenance.processing_time,
        **fields,
    )


def _file(name: str, pieces: Pieces) -> str:
    if name in _OF_NO_FILE:
        return "compared"
    file = _OF_OTHER_FILES.get(name, "events")
    return "events" if file == "dates" and pieces.days is None else file


def _fields(pieces: Pieces, unobserved: dict[str, str]) -> dict[str, Any]:
    """Everything that the files tell of the event."""
    record = pieces.record
    title_en, title_zh = line(record.get("titlee")), line(record.get("titlec"))
    times = join(pieces.days, lines(record.get("predateE")))
    titles = (("en", title_en), ("zh-Hant", title_zh))
    return {
        **_said(record),
        "title_zh": title_zh,
        "languages": [code for code, text in titles if text],
        "status": status(title_en, title_zh),
        "venue": _venue(line(record.get("venueid")), pieces.venues, unobserved),
        "occurrences": times.occurrences,
        "schedule_doubts": times.doubts,
        "date_disagreement": times.disagreement,
        **_span(times, unobserved),
    }


def _said(record: Record) -> dict[str, Any]:
    """What the record of the event says in so many words."""
    sale, submitted = stamp(record.get("saledate")), stamp(record.get("submitdate"))
    return {
        "url": line(record.get("urle")) or line(record.get("urlc")),
        "title": title_of(record),
        "price": read_price(line(record.get("pricee")) or ""),
        "description": lines(record.get("desce")),
        "description_zh": lines(record.get("descc")),
        "categories": [code for name in ("cat1", "cat2") if (code := line(record.get(name)))],
        "organiser": line(record.get("presenterorge")) or line(record.get("presenterorgc")),
        "age_limit": line(record.get("agelimite")),
        "duration": line(record.get("progtimee")),
        "remark": lines(record.get("remarke")),
        "ticket_url": line(record.get("tagenturle")),
        "on_sale_since": sale.date().isoformat() if sale else None,
        "submitted_at": as_text(submitted) if submitted else None,
        "schedule": lines(record.get("predateE")),
    }


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
        latitude=_degrees(record.get("latitude"), most=90),
        longitude=_degrees(record.get("longitude"), most=180),
    )


def _degrees(text: str | None, *, most: int) -> float | None:
    """Read a coordinate; None where there is none on earth."""
    try:
        degrees = float(text or "")
    except ValueError:
        return None
    return degrees if -most <= degrees <= most else None

"""Quotations that are announcements of something, or may be something else."""

from dataclasses import replace
from typing import Any

import pytest

from n8n_scraper.core import source
from n8n_scraper.core.classified import Announced, Classification, Classified
from n8n_scraper.core.occasion import Occasion, Occasions
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.sources.hk_events.source import SOURCE as HK_EVENTS
from tests import storing
from tests.toy.making import quote
from tests.unit.sources.hk_events.given import events_of

VENUES = """<venues><venue id="1"><venuee>City Hall (Concert Hall)</venuee>
<venuec>大會堂音樂廳</venuec><latitude>22.2822</latitude><longitude>114.1617</longitude></venue></venues>"""
DATES = """<event_dates><event id="7"><indate>20260307</indate></event>
<event id="8"><indate>20260314</indate></event></event_dates>"""
EVENT = """<event id="{id}"><titlee>Nocturnes by Lamplight</titlee><titlec>燈下夜曲</titlec>
<predateE>{day} Mar 2026 (Sat) 8:00pm</predateE><venueid>1</venueid>
<urle>https://www.example.org/nocturnes</urle></event>"""
TITLE = "NOCTURNES by Lamplight"
ROOM = ("2026-03-07", "2026-03-07T12:00:00Z", "Concert Hall, City Hall")


def occasion(record: Any) -> Occasion:
    """Read a quotation as an announcement: its tags are the day, the hour, and the venue."""
    day, moment, *venues = record["tags"]
    return Occasion("quotes", (record["title"] or "",), day, moment or None, tuple(venues))


def classified(record: Any) -> Classified:
    """Take the one tag of a quotation for how sure it is that this is an event."""
    return Classified(Announced.EVENT, float(record["tags"][0]), (f"event: {record['title']}",))


def let_announce(quotes: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let quotations announce something."""
    _install(quotes, {"occasions": Occasions(("title", "tags"), occasion)}, monkeypatch)


def let_be_doubted(quotes: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it be doubtful what quotations are."""
    looked_at = Classification(("title", "tags"), classified)
    _install(quotes, {"classification": looked_at}, monkeypatch)


def _install(quotes: Source, hooks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, kind_at = replace(quotes.kind(), **hooks), source._kind_at
    monkeypatch.setattr(
        source, "_kind_at", lambda home: kind if home == quotes.home else kind_at(home)
    )


def put_events(database: Database) -> None:
    """Store the same concert on two Saturdays."""
    told = "".join(EVENT.format(id=one, day=day) for one, day in (("7", 7), ("8", 14)))
    events = events_of(f"<events>{told}</events>".encode(), DATES.encode(), VENUES.encode())
    for event in events.values():
        database.do(lambda session, event=event: storing.save(session, HK_EVENTS, event, []))


def put(database: Database, quotes: Source, quote_id: str, title: str, *tags: str) -> None:
    item = quote(quote_id, title=title, tags=list(tags))
    database.do(lambda session: storing.save(session, quotes, item, []))

"""Read events in a calendar, and in a feed whose entries say when they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from n8n_scraper.reading.moments import zone_of
from n8n_scraper.reading.states import state_of
from n8n_scraper.reading.structured.calendar_file import Entry, Within, read_calendar, times_of
from n8n_scraper.reading.structured.document import lines_of, tree_of
from n8n_scraper.reading.structured.feed import Entry as FeedEntry
from n8n_scraper.reading.structured.feed import feed_entries
from n8n_scraper.reading.structured.recurrence import MOST_DAYS
from n8n_scraper.reading.whens import When, is_about_time, read_from_to, read_when
from n8n_scraper.reading.words import line
from n8n_scraper.sources.events.adapters.draft import Draft
from n8n_scraper.sources.events.adapters.page import Page
from n8n_scraper.sources.events.adapters.values import degrees
from n8n_scraper.sources.events.found import Found, Place

_BACK, _AHEAD = timedelta(days=60), timedelta(days=366)
_MOST_TIMES = 20_000  # of all events of a file together
_START = ("startdate", "dtstart", "start_date", "start", "eventdate", "when@starttime")
_END = ("enddate", "dtend", "end_date", "end", "when@endtime")


def in_calendar(text: str, page: Page) -> list[Found]:
    """Give the events of an iCalendar file; those that come again, for a year."""
    file = read_calendar(text)
    zone = zone_of(file.zone) or page.zone
    found: list[Found] = []
    left = _MOST_TIMES
    # From the first of a month, so that an event does not change from day to day.
    within = Within((page.hints.today - _BACK).replace(day=1), page.hints.today + _AHEAD)
    for entry in file.entries:
        draft = Draft(page, "icalendar")
        draft.title(entry.words("SUMMARY"))
        draft.text("source_event_id", entry.words("UID"))
        draft.link(entry.words("URL"))
        times = times_of(entry, zone, replace(within, most=max(1, min(left, MOST_DAYS))))
        left -= len(times.occurrences)
        if start := entry.line("DTSTART"):
            draft.when(When(_words(entry, start.value), times.occurrences, times.doubts))
        draft.set("timezone", times.zone or zone.key)
        draft.venue(_place(entry))
        draft.description(entry.words("DESCRIPTION"))
        draft.categories((entry.words("CATEGORIES") or "").split(","))
        draft.text("organiser", _organiser(entry))
        draft.status(state_of(entry.words("STATUS")))
        draft.images(
            line.value for line in entry.lines.get("ATTACH", []) if _is_image(line.parameters)
        )
        if event := draft.done():
            found.append(event)
    return found


def _words(entry: Entry, start: str) -> str:
    end, rule = entry.line("DTEND"), entry.line("RRULE")
    return " ".join(
        [start, *(f"- {end.value}" for end in [end] if end), *([rule.value] if rule else [])]
    )


def _is_image(parameters: dict[str, str]) -> bool:
    return parameters.get("FMTTYPE", "").startswith("image/")


def _place(entry: Entry) -> Place | None:
    name = line(entry.words("LOCATION"))
    latitude, _, longitude = (entry.words("GEO") or "").partition(";")
    at = degrees(latitude, 90), degrees(longitude, 180)
    known = None not in at and at != (0, 0)
    place = Place(name, latitude=at[0] if known else None, longitude=at[1] if known else None)
    return place if place != Place() else None


def _organiser(entry: Entry) -> str | None:
    found = entry.line("ORGANIZER")
    return found.parameters.get("CN") if found else None


def in_feed(text: str, page: Page) -> list[Found] | None:
    """Give the events of a feed; None where the text is no feed.

    When an entry was published says nothing of the event: what tells no day has none.
    """
    entries = feed_entries(text)
    if entries is None:
        return None
    found = [_event(entry, page) for entry in entries]
    return [event for event in found if event]


def _event(entry: FeedEntry, page: Page) -> Found | None:
    draft = Draft(page, "feed")
    draft.title(_one(entry, "title"))
    draft.text("source_event_id", _one(entry, "guid", "id"))
    draft.link(_one(entry, "link", "link@href"))
    body = _one(entry, "description", "summary", "content", "encoded")
    draft.when(_when(entry, body, page))
    name = _one(entry, "location", "venue", "where@valuestring")
    draft.venue(Place(name=line(name)) if name else None)
    draft.description(body)
    draft.categories([*entry.get("category", []), *entry.get("category@term", [])])
    draft.text("organiser", _one(entry, "organizer"))
    kinds = zip(entry.get("enclosure@url", []), entry.get("enclosure@type", []), strict=False)
    pictures = [address for address, kind in kinds if kind.startswith("image/")]
    draft.images([*pictures, *entry.get("content@url", []), *entry.get("thumbnail@url", [])])
    return draft.done()


def _when(entry: FeedEntry, body: str | None, page: Page) -> When | None:
    if start := _one(entry, *_START):
        return read_from_to(start, _one(entry, *_END), page.calendar)
    root = tree_of(body[:20_000]) if body else None
    told = [one for one in lines_of(root) if is_about_time(one)] if root is not None else []
    found = read_when("\n".join(told), page.calendar) if told else None
    return found if found and found.occurrences else None


def _one(entry: FeedEntry, *names: str) -> str | None:
    return next((entry[name][0] for name in names if entry.get(name)), None)

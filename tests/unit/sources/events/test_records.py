"""Events in the JSON that much used calendars and ticket offices give."""

import json
from datetime import UTC, date, datetime
from typing import Any

import pytest

from n8n_scraper.reading.values import Occurrence, Price
from n8n_scraper.sources.events.adapters import found_in
from n8n_scraper.sources.events.found import Found, Hints, Place

EIGHT, TEN = datetime(2025, 9, 27, 12, tzinfo=UTC), datetime(2025, 9, 27, 14, tzinfo=UTC)
TWO_DAYS = Occurrence(
    datetime(2025, 9, 26, 16, tzinfo=UTC), datetime(2025, 9, 28, 16, tzinfo=UTC), all_day=True
)


def read(data: Any) -> list[Found]:
    known = Hints("Asia/Macau", "MOP", {}, date(2025, 8, 20))
    return found_in(json.dumps(data).encode(), "https://site.example/", None, known)


def test_a_plugin_of_calendars_tells_its_venue_and_zone() -> None:
    [event] = read({"events": [{
        "id": 7, "url": "https://site.example/jazz", "title": "Jazz &#8211; Night",
        "description": "<p>All <b>night</b>.</p>", "image": {"url": "https://site.example/j.jpg"},
        "all_day": False, "start_date": "2025-09-27 21:00:00", "end_date": "2025-09-27 23:00:00",
        "timezone": "Asia/Tokyo", "cost": "MOP80", "venue": {"venue": "Hall", "city": "Macao",
        "address": "1 Hill Road", "geo_lat": 22.19, "geo_lng": 113.5},
        "organizer": [{"organizer": "The Lamplight Society"}], "categories": [{"name": "Music"}],
    }]})  # fmt: skip

    assert (event.title, event.description) == ("Jazz – Night", "All night.")
    assert (event.start, event.end, event.timezone) == (EIGHT, TEN, "Asia/Tokyo")
    assert event.venue == Place("Hall", "1 Hill Road", "Macao", 22.19, 113.5)
    assert event.price == Price("MOP80", (80.0,), "MOP", is_free=False)
    assert (event.organiser, event.categories) == ("The Lamplight Society", ("Music",))
    assert (event.source_event_id, event.images) == ("7", ("https://site.example/j.jpg",))


@pytest.mark.parametrize(
    "event",
    [
        {"title": "x", "start": "2025-09-27", "end": "2025-09-29", "allDay": True},
        {"summary": "x", "start": {"date": "2025-09-27"}, "end": {"date": "2025-09-29"}},
        {"title": "x", "start_date": "2025-09-27", "end_date": "2025-09-28"},
        {"title": "x", "start_date": "2025-09-27 00:00:00", "end_date": "2025-09-28 23:59:59",
         "all_day": True},
    ],
)  # fmt: skip
def test_whole_days_end_where_each_kind_of_calendar_means_it(event: dict[str, Any]) -> None:
    [found] = read({"events": [event]})

    assert found.occurrences == (TWO_DAYS,)


@pytest.mark.parametrize(
    "times",
    [
        {"start": {"dateTime": "2025-09-27T20:00:00+08:00", "timeZone": "Asia/Macau"},
         "end": {"dateTime": "2025-09-27T22:00:00+08:00"}},
        {"start": {"local": "2025-09-27T20:00:00", "utc": "2025-09-27T12:00:00Z"},
         "end": {"local": "2025-09-27T22:00:00", "utc": "2025-09-27T14:00:00Z"}},
        {"startDate": "2025-09-27", "startTime": "20:00", "endDate": "2025-09-27",
         "endTime": "22:00"},
        {"start": 1758974400, "end": 1758981600000},
    ],
)  # fmt: skip
def test_a_beginning_and_an_end_are_read_in_every_form(times: dict[str, Any]) -> None:
    [event] = read({"data": {"items": [{"name": {"text": "Jazz"}, **times}]}})

    assert event.occurrences == (Occurrence(EIGHT, TEN),)


def test_a_ticket_office_tells_times_within_dates() -> None:
    [event] = read({"_embedded": {"events": [{
        "name": "Jazz", "id": "vv1", "url": "https://site.example/vv1",
        "dates": {"start": {"localDate": "2025-09-27", "localTime": "20:00:00"}},
        "priceRanges": [{"min": 80.0, "max": 180.0, "currency": "HKD"}],
    }]}})  # fmt: skip

    assert event.start == EIGHT


@pytest.mark.parametrize(
    "record",
    [
        {"type": "post", "date": "2025-09-27T20:00:00", "title": {"rendered": "News"}},
        {"date": "2025-09-27T20:00:00", "date_gmt": "2025-09-27T12:00:00", "title": "News"},
        {"__typename": "Article", "date": "2025-09-27", "title": "News"},
        {"title": "Home", "url": "/"},
    ],
)
def test_news_and_menus_are_no_events(record: dict[str, Any]) -> None:
    assert read([record]) == []
    assert read({"items": [record]}) == []


def test_a_list_under_a_name_that_says_nothing_is_left_alone() -> None:
    assert read({"sponsors": [{"name": "Bank", "date": "2025-09-27"}]}) == []


def test_objects_in_objects_without_end_are_read_to_an_end() -> None:
    deep: Any = {"title": "x"}
    for _ in range(300):
        deep = {"title": "x", "sections": [deep]}

    read({"events": [deep]})


def test_a_state_that_is_told_by_yes_or_no_is_told() -> None:
    [event] = read({"events": [{"title": "Jazz", "date": "2025-09-27", "isCancelled": True}]})

    assert event.status == "cancelled"

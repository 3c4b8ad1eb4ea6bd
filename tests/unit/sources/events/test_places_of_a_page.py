"""What each place of a page says of an event, and how several of them are joined."""

import json
from datetime import UTC, date, datetime
from typing import Any

import pytest

from n8n_scraper.reading.values import Price, Status
from n8n_scraper.sources.events.adapters import found_in
from n8n_scraper.sources.events.adapters.images import is_picture, largest_of
from n8n_scraper.sources.events.found import Found, Hints, Place

URL = "https://site.example/en/events"


def read(page: str, url: str = URL, **selectors: str) -> list[Found]:
    known = Hints("Asia/Macau", "MOP", selectors, date(2025, 8, 20))
    return found_in(page.encode(), url, "text/html", known)


def ld(**event: Any) -> str:
    data = json.dumps({"@type": "Event", "name": "Jazz", "startDate": "2025-09-27T20:00", **event})
    return f'<script type="application/ld+json">{data}</script>'


def one(page: str, **selectors: str) -> Found:
    [event] = read(page, **selectors)
    return event


@pytest.mark.parametrize(
    ("offers", "price"),
    [
        ({"price": "380", "priceCurrency": "HKD"}, Price("380", (380.0,), "HKD", is_free=False)),
        ({"price": 0}, Price("0", (0.0,), "MOP", is_free=True)),
        (
            {"lowPrice": 180, "highPrice": "1,280"},
            Price("180 - 1,280", (180.0, 1280.0), "MOP", is_free=False),
        ),
        (
            [{"price": 380}, {"price": 180}, {"price": 380}],
            Price("380; 180", (380.0, 180.0), "MOP", is_free=False),
        ),
        (
            {"priceSpecification": {"price": 50, "priceCurrency": "MOP"}},
            Price("50", (50.0,), "MOP", is_free=False),
        ),
        ({"price": "ask us"}, Price("ask us", None, None, is_free=None)),
        ([{"price": 1, "priceCurrency": "HKD"}, {"price": 1}], Price("1", None, None, None)),
        ({"url": "https://tickets.example"}, None),
        ("https://tickets.example/380", None),
        ([], None),
    ],
)
def test_offers_are_one_price(offers: Any, price: Price | None) -> None:
    assert one(ld(offers=offers)).price == price


def test_that_it_is_free_may_be_said_without_an_offer() -> None:
    free, unknown = (
        one(ld(isAccessibleForFree=True)).price,
        one(ld(isAccessibleForFree=False)).price,
    )

    assert free is not None
    assert (free.is_free, free.amounts, unknown) == (True, (), None)


@pytest.mark.parametrize(
    ("location", "place"),
    [
        ("Fortress", Place("Fortress")),
        ({"@type": "Place", "name": "Fortress", "geo": {"latitude": "22.19", "longitude": 113.5}},
         Place("Fortress", latitude=22.19, longitude=113.5)),
        ({"@type": "Place", "name": "Fortress", "geo": {"latitude": 0, "longitude": 0}},
         Place("Fortress")),
        ([{"@type": "VirtualLocation", "url": "x"}, {"@type": "Place", "name": "Fortress"}],
         Place("Fortress")),
        ({"@id": "#place"}, Place("Known", "1 Hill Road, Macao", "Macao")),
        ({"@type": "VirtualLocation", "url": "x"}, None),
        ({"@type": "Place"}, None),
        (None, None),
    ],
)  # fmt: skip
def test_a_place_is_what_is_told_of_it(location: Any, place: Place | None) -> None:
    address = {"streetAddress": "1 Hill Road", "addressLocality": "Macao"}
    known = {"@type": "Place", "@id": "#place", "name": "Known", "address": address}
    page = (
        ld(location=location) + f'<script type="application/ld+json">{json.dumps(known)}</script>'
    )

    assert one(page).venue == place


@pytest.mark.parametrize(
    ("state", "status"),
    [
        ("https://schema.org/EventCancelled", Status.CANCELLED),
        ("EventRescheduled", Status.RESCHEDULED),
        ("https://schema.org/EventMovedOnline", Status.MOVED_ONLINE),
        ("whatever", None),
    ],
)
def test_a_state_is_read_where_it_is_one(state: str, status: Status | None) -> None:
    assert one(ld(eventStatus=state)).status is status


def test_what_comes_again_by_a_schedule_of_its_own_is_a_doubt() -> None:
    event = one(ld(startDate=None, eventSchedule={"@type": "Schedule", "byDay": "Friday"}))

    assert event.start is None
    assert event.doubts == ("it comes again by a schedule that is not read",)


def test_a_thing_of_which_the_event_is_a_part_is_not_the_event() -> None:
    assert one(ld(superEvent={"@type": "Festival", "name": "All"})).title == "Jazz"


def test_classes_mark_an_event_as_well() -> None:
    event = one(
        '<div class="h-event"><a class="p-name u-url" href="/jazz">Jazz</a><time class="dt-start"'
        ' datetime="2025-09-27T20:00">Sat</time><b class="p-location">Hall</b>'
        '<i class="p-category">Music</i></div>'
    )

    assert (event.url, event.categories) == ("https://site.example/jazz", ("Music",))
    assert (event.start, event.venue) == (datetime(2025, 9, 27, 12, tzinfo=UTC), Place("Hall"))


def test_a_browser_s_page_of_json_is_json() -> None:
    data = json.dumps({"events": [{"title": "Jazz", "date": "2025-09-27"}]})

    assert one(f"<html><head></head><body><pre>{data}</pre></body></html>").title == "Jazz"


def test_the_head_fills_what_the_page_of_one_event_lacks() -> None:
    head = """<meta property="og:title" content="Jazz | Site">
        <meta property="og:description" content="All night.">
        <meta property="og:image" content="/j.jpg">
        <meta property="og:image" content="/logo.png">"""

    event = one(f"<head>{head}</head>{ld()}")

    assert (event.description, event.images) == ("All night.", ("https://site.example/j.jpg",))
    assert event.sources["description"] == "open-graph"
    assert one(f"<head>{head.replace('Jazz |', 'Events of')}</head>{ld()}").description is None
    assert [each.description for each in read(f"<head>{head}</head>{ld()}{ld(name='Rock')}")] == [
        None,
        None,
    ]


def test_what_two_places_say_of_one_event_is_joined() -> None:
    card = """<div class="c"><h3>Jazz</h3><i>27 Sep 2025</i><b>Hall</b><u>MOP 80</u></div>"""

    event = one(card + ld(location={"@type": "Place", "address": "1 Hill Road"}),
                item=".c", title="h3", date="i", venue="b", price="u")  # fmt: skip

    assert event.all_day is False
    assert event.venue == Place("Hall", "1 Hill Road")
    assert (event.sources["venue"], event.sources["price"]) == ("json-ld", "selectors")


def test_the_time_of_a_day_is_taken_from_the_place_that_has_it() -> None:
    card = """<div class="c"><h3>Jazz</h3><i>27 Sep 2025, 8pm</i></div>"""

    event = one(card + ld(startDate="2025-09-27"), item=".c", title="h3", date="i")

    assert (event.start, event.all_day) == (datetime(2025, 9, 27, 12, tzinfo=UTC), False)
    assert event.sources["start"] == "selectors"


def test_two_hours_of_one_day_are_a_doubt() -> None:
    card = """<div class="c"><h3>Jazz</h3><i>27 Sep 2025, 9pm</i></div>"""

    event = one(card + ld(), item=".c", title="h3", date="i")

    assert event.start == datetime(2025, 9, 27, 12, tzinfo=UTC)
    assert event.doubts == ("selectors says that it begins at 2025-09-27T13:00Z",)


def test_the_evenings_of_one_event_are_one_event_and_other_events_stay_apart() -> None:
    evenings = "".join(ld(url="/jazz", startDate=f"2025-09-{day}T20:00") for day in (27, 28))
    elsewhere = ld(url="/jazz-b", location="B") + ld(url="/jazz-c", location="C")

    assert [len(event.occurrences) for event in read(evenings)] == [2]
    assert len(read(elsewhere)) == 2
    assert len(read(ld() + ld(startDate="2025-10-27"))) == 2


def test_a_card_tells_each_field_in_its_own_way() -> None:
    page = """<base href="/en/"><div class="c" data-id="7"><h3><a href="jazz">Jazz</a></h3>
        <time datetime="2025-09-27">Sat</time><em>8pm</em><time class="e">late</time>
        <img class="p" src="data:x" data-src="a.jpg" srcset="s.jpg 100w, l.jpg 900w">
        <div class="p" style="background-image: url('b.jpg')"></div><s>Postponed</s></div>"""

    event = one(page, item=".c", title="h3", date="time", time="em", image=".p", id=".c@data-id",
                status="s", end=".e")  # fmt: skip

    assert event.source_event_id == "7"
    assert event.url == "https://site.example/en/jazz"
    assert event.start == datetime(2025, 9, 27, 12, tzinfo=UTC)
    assert event.images == ("https://site.example/en/l.jpg", "https://site.example/en/b.jpg")
    assert event.status is Status.POSTPONED


def test_a_beginning_and_an_end_may_have_selectors_of_their_own() -> None:
    page = '<div class="c"><h3>Jazz</h3><i>5 Sep 2025</i><b>7 Sep 2025</b></div>'

    event = one(page, item=".c", title="h3", start="i", end="b", image=".c@data-none")

    assert event.end == datetime(2025, 9, 7, 16, tzinfo=UTC)
    assert (event.all_day, event.images) == (True, ())


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/media/jazz.jpg", True),
        ("https://cdn.example/icons-of-jazz/night.jpg", True),
        ("/img/placeholder-event.png", False),
        ("/img/no-image.jpg", False),
        ("/static/logo.png", False),
        ("/img/default.jpg?x=1", False),
        ("/drawing.svg", False),
        ("data:image/gif;base64,R0", False),
        ("", False),
        ("http://[x", False),
    ],
)
def test_a_picture_that_stands_for_none_is_known_by_its_name(address: str, expected: bool) -> None:
    assert is_picture(address) is expected


@pytest.mark.parametrize(
    ("candidates", "largest"),
    [
        ("a.jpg 1x, b.jpg 2x", "b.jpg"),
        ("a.jpg", "a.jpg"),
        ("", None),
        ("a.jpg 9.w, b.jpg 10w", "b.jpg"),
    ],
)
def test_the_largest_picture_is_taken(candidates: str, largest: str | None) -> None:
    assert largest_of(candidates) == largest

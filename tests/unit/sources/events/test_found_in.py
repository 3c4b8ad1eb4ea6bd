"""What is read of pages as the sources of Macau and Hong Kong write them."""

import json
from datetime import UTC, date, datetime
from typing import Any

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.reading.values import Occurrence, Price, Status
from n8n_scraper.sources.events.adapters import found_in
from n8n_scraper.sources.events.found import Found, Hints, Place

URL = "https://site.example/en/events"
TODAY = date(2025, 8, 20)


def hints(timezone: str = "Asia/Macau", currency: str | None = "MOP", **selectors: str) -> Hints:
    return Hints(timezone, currency, selectors, TODAY)


def read(page: str | object, known: Hints | None = None, url: str = URL) -> list[Found]:
    text = page if isinstance(page, str) else json.dumps(page)
    return found_in(text.encode(), url, None, known or hints())


def at(*moment: int) -> datetime:
    return datetime(*moment, tzinfo=UTC)  # type: ignore[misc, arg-type]


def test_the_calendar_of_the_tourist_office_is_read_without_years() -> None:
    item = """<a href="/en/events/{0}" class="m-calendar__item"><span class="t">
        <i class="fa-calendar"></i> {1} </span><p class="m-calendar__event-name">{2}</p></a>"""
    page = "".join(
        item.format(*one)
        for one in (
            ("fireworks", "Sep 6, 13, 20, Oct 1 &amp; 6", "Major Event Fireworks Contest"),
            ("art", "Sep 5-28", "Art Macao"),
            ("new-year", "Jun 10", "Dragon Boat Races"),
        )
    )

    fireworks, art, boats = read(
        page,
        hints(
            item=".m-calendar__item",
            title=".m-calendar__event-name",
            date=".t:has(.fa-calendar)",
        ),
    )

    assert fireworks.title == "Fireworks Contest"
    assert fireworks.categories == ("Major Event",)
    assert [one.start for one in fireworks.occurrences][::4] == [
        at(2025, 9, 5, 16),
        at(2025, 10, 5, 16),
    ]
    assert "year by the day of asking" in fireworks.sources["start"]
    assert art.occurrences == (Occurrence(at(2025, 9, 4, 16), at(2025, 9, 28, 16), all_day=True),)
    assert art.detail_url == "https://site.example/en/events/art"
    assert (boats.start, boats.when) == (None, "Jun 10")
    assert boats.doubts == ("not understood: the year is not told",)


def test_a_text_card_with_its_venue_day_and_price_below_each_other_is_taken_apart() -> None:
    page = """<div class="card"><h3>Dream Concert</h3><div class="text">
        The Venetian Arena<br>27 - 28 September 2025, 6:00pm<br>From MOP488</div></div>"""

    [event] = read(
        page, hints(item=".card", title="h3", date=".text", venue=".text", price=".text")
    )

    assert event.venue == Place(name="The Venetian Arena")
    assert [one.start for one in event.occurrences] == [at(2025, 9, 27, 10), at(2025, 9, 28, 10)]
    assert (event.end, event.all_day) == (None, False)
    assert event.price == Price("From MOP488", (488.0,), "MOP", is_free=False)


@pytest.mark.parametrize("wrapped", [True, False])
def test_a_block_that_holds_all_in_one_line_is_cut_and_no_title_is_taken_twice(
    wrapped: bool,
) -> None:
    card = """<h3 class="two_columns-describe-text">{0}</h3>
        <p class="two_columns-describe-description">The Londoner Arena, The Londoner Macao
        {1} From MOP{2}</p>"""
    cards = [
        card.format("Jazz Night", "18 Oct 2025 (Sat) 8:00pm", 488),
        card.format("Comedy Night", "1 Nov 2025 (Sat) 7:30pm", 380),
    ]
    page = "".join(f"<div>{one}</div>" if wrapped else one for one in cards)
    text = ".two_columns-describe-description"
    known = hints(title="h3.two_columns-describe-text", date=text, venue=text, price=text)

    jazz, comedy = read(f"<main>{page}</main>", known)

    assert (jazz.title, comedy.title) == ("Jazz Night", "Comedy Night")
    assert jazz.venue == comedy.venue == Place(name="The Londoner Arena, The Londoner Macao")
    assert (jazz.start, comedy.start) == (at(2025, 10, 18, 12), at(2025, 11, 1, 11, 30))
    assert comedy.price == Price("From MOP380", (380.0,), "MOP", is_free=False)
    assert jazz.doubts == ()


def test_titles_on_a_shared_parent_keep_what_is_their_own() -> None:
    page = """<div class="all"><h3>One</h3><p>1 Sep 2025</p><h3>Two</h3><p>2 Sep 2025</p></div>"""

    for selectors in ({"item": ".all"}, {}):
        one, two = read(page, hints(title="h3", date="p", **selectors))

        assert (one.title, one.when) == ("One", "1 Sep 2025")
        assert (two.title, two.when) == ("Two", "2 Sep 2025")


def test_menus_and_headings_alone_are_no_events() -> None:
    page = """<nav><h3>Events</h3><p>1 Sep 2025</p></nav><section><h2>Home</h2></section>
        <section><h2>Concert</h2><p class="date">1 Sep 2025</p></section>
        <footer><h3>Contact</h3></footer>"""

    [event] = read(page, hints(title="h2, h3", date=".date"))

    assert event.title == "Concert"


def test_links_that_only_say_more_belong_to_the_event_that_they_lead_to() -> None:
    page = """<div class="events-grid"><a href="/event/dragon"><h4>Dragon Show</h4></a>
        <a href="/event/dragon">Learn More</a></div>"""

    [event] = read(page, hints(item='.events-grid a[href*="/event/"]'))

    assert (event.title, event.url) == ("Dragon Show", "https://site.example/event/dragon")
    assert event.start is None


def test_json_that_holds_pieces_of_pages_gives_what_stands_in_them() -> None:
    ld = {
        "@context": "https://schema.org",
        "@type": "MusicEvent",
        "name": "Night of Fado",
        "url": "https://site.example/event/fado",
        "startDate": "2025-09-27T12:00:00.000Z",
        "location": {"@type": "Place", "name": "Fortress", "address": "Macau"},
    }
    piece = f"""<div class="box" data-id="77"><h3>Night of Fado</h3><b class="p">$180</b>
        <script type="application/ld+json">{json.dumps(ld)}</script></div>"""

    [event] = read(
        {"count": 1, "html": [piece]},
        hints(item=".box", title="h3", price=".p", id=".box@data-id"),
    )

    assert event.start == at(2025, 9, 27, 12)
    assert event.source_event_id == "77"
    assert event.venue == Place(name="Fortress", address="Macau")
    assert event.price == Price("$180", (180.0,), "MOP", is_free=False)
    assert (event.sources["start"], event.sources["price"]) == ("json-ld", "selectors")


def test_the_objects_of_a_page_s_own_program_are_read() -> None:
    sections = [
        {"startDatetime": "2025-09-27T12:00:00Z", "endDatetime": "2025-09-27T14:00:00Z",
         "location": {"name": "Fortress"}, "address": "1 Hill Road"},
        {"startDatetime": "2025-09-28T12:00:00Z", "endDatetime": None},
    ]  # fmt: skip
    state = {"loaderData": {"event": {"__typename": "Event", "id": 5, "name": "Fado",
                                      "permalink": "fado", "sections": sections}}}  # fmt: skip
    page = f"<script>window.__remixContext = {json.dumps(state)};</script>"

    [event] = read(page)

    assert [one.start for one in event.occurrences] == [at(2025, 9, 27, 12), at(2025, 9, 28, 12)]
    assert (event.start, event.end) == (at(2025, 9, 27, 12), None)
    assert event.venue == Place(name="Fortress", address="1 Hill Road")
    assert event.sources["title"] == "__remixContext"


def next_data(**properties: Any) -> str:
    data = json.dumps({"props": {"pageProps": properties}})
    return f'<script id="__NEXT_DATA__" type="application/json">{data}</script>'


def test_the_list_of_the_ticket_office_is_read_from_its_next_data() -> None:
    shows = [
        {"ProCode": "P1", "ProName1": "Macao Orchestra", "ShowDate": "2025-09-27 20:00",
         "PriceDesc": "MOP 380, 280, 180", "ProType": "Music", "PictureS": "/pic/1s.jpg",
         "PictureP": "/pic/1.jpg"},
        {"ProCode": "P2", "ProName1": "--", "ShowDate": ""},
        {"ProCode": "P3", "ProName1": "Drama", "ShowDate": "TBC", "PriceDesc": ""},
    ]  # fmt: skip

    orchestra, drama = read(next_data(showListData=shows))

    assert orchestra.source_event_id == "P1"
    assert orchestra.start == at(2025, 9, 27, 12)
    assert orchestra.price == Price("MOP 380, 280, 180", (380, 280, 180), "MOP", is_free=False)
    assert orchestra.images == ("https://site.example/pic/1.jpg", "https://site.example/pic/1s.jpg")
    assert orchestra.categories == ("Music",)
    assert (drama.start, drama.price, drama.status) == (None, None, None)


def test_the_page_of_one_show_is_put_together_from_its_lists() -> None:
    page = next_data(
        proInfo=[{"ProCode": "P1", "ProName1": "Macao Orchestra", "Content": "<p>Mahler.</p>",
                  "SPName": "Cultural Affairs Bureau"}],
        ProListData=[{"VenueName": "Cultural Centre", "ShowDate": "2025-09-27 20:00"}],
    )  # fmt: skip

    [event] = read(page)

    assert event.venue == Place(name="Cultural Centre")
    assert event.start == at(2025, 9, 27, 12)
    assert (event.description, event.organiser) == ("Mahler.", "Cultural Affairs Bureau")


@pytest.mark.parametrize("key", ["events", "data", "results", "items", "records", "eventList"])
def test_json_has_its_events_under_any_usual_key_however_deep(key: str) -> None:
    event = {"title": "Jazz", "start_date": "2025-09-27", "venue": {"name": "Hall"}}

    for data in ({key: [event]}, {"response": {"page": {key: [event]}}}):
        [found] = read(data)

        assert (found.title, found.all_day) == ("Jazz", True)
        assert found.occurrences == (
            Occurrence(at(2025, 9, 26, 16), at(2025, 9, 27, 16), all_day=True),
        )


def test_both_cities_have_their_own_zone_and_midnight_is_the_local_one() -> None:
    page = [{"title": "Jazz", "date": "2025年9月27日"}]

    for timezone in ("Asia/Macau", "Asia/Hong_Kong"):
        [event] = read(page, hints(timezone))

        assert (event.timezone, event.start) == (timezone, at(2025, 9, 26, 16))


def test_the_last_day_is_within_a_range_and_the_end_is_the_midnight_after_it() -> None:
    ld = {"@type": "Festival", "name": "Food", "startDate": "2025-09-05", "endDate": "2025-09-07"}
    calendar = (
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Food\nDTSTART;VALUE=DATE:20250905\n"
        "DTEND;VALUE=DATE:20250908\nSTATUS:CANCELLED\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    by_hand = '<div class="c"><b>Food</b><i>5-7 Sep 2025</i></div>'
    script = f'<script type="application/ld+json">{json.dumps(ld)}</script>'

    events = [*read(script), *read(calendar), *read(by_hand, hints(item=".c", title="b", date="i"))]

    assert {(one.start, one.end) for one in events} == {(at(2025, 9, 4, 16), at(2025, 9, 7, 16))}
    assert [one.status for one in events] == [None, Status.CANCELLED, None]


def test_what_is_not_told_is_not_made_up() -> None:
    page = """<div class="c"><h3>Mystery</h3><i>soon</i>
        <img src="/img/placeholder.jpg"><img src="data:image/png;base64,xx"></div>"""

    [event] = read(page, hints(item=".c", title="h3", date="i", image="img", price=".p"))

    assert (event.start, event.end, event.all_day, event.occurrences) == (None, None, None, ())
    assert event.doubts == ("not understood: soon",)
    assert (event.price, event.venue, event.status, event.images) == (None, None, None, ())
    assert set(event.sources) == {"title", "when"}


def test_a_date_that_stands_for_none_is_none() -> None:
    [event] = read([{"title": "Show", "start_date": "2099-12-31", "id": 1}])

    assert (event.start, event.occurrences) == (None, ())


def test_a_picture_that_many_events_share_is_of_none_of_them() -> None:
    events = [
        {"title": f"Show {number}", "date": "2025-09-27", "image": ["/all.jpg", f"/{number}.jpg"]}
        for number in range(3)
    ]

    assert [one.images for one in read(events)] == [
        (f"https://site.example/{number}.jpg",) for number in range(3)
    ]


def test_several_places_of_a_page_are_joined_and_the_better_one_counts() -> None:
    ld = {"@type": "Event", "name": "Jazz", "startDate": "2025-9-13T10-10-00-00", "url": "/jazz"}
    page = f"""<script type="application/ld+json">{json.dumps(ld)}</script>
        <div itemscope itemtype="http://schema.org/Event"><b itemprop="name">Jazz</b>
        <meta itemprop="startDate" content="2025-09-13T10:00">
        <i itemprop="location">Hall</i></div>"""

    [event] = read(page)

    assert event.start == at(2025, 9, 13, 2)
    assert event.sources["title"] == event.sources["url"] == "json-ld"
    assert event.sources["start"] == event.sources["venue"] == "microdata"
    assert event.doubts == ("not understood: 2025-9-13T10-10-00-00",)


def test_a_feed_s_day_of_publication_is_no_day_of_the_event() -> None:
    page = """<?xml version="1.0"?><rss><channel>
        <item><title>One</title><link>/1</link>
        <pubDate>Mon, 01 Sep 2025 10:00:00 GMT</pubDate></item>
        <item><title>Two</title><description>&lt;p&gt;27 September 2025, 8pm&lt;/p&gt;</description>
        </item></channel></rss>"""

    one, two = read(page)

    assert (one.start, one.url) == (None, "https://site.example/1")
    assert two.start == at(2025, 9, 27, 12)


def test_an_entry_of_a_feed_may_say_its_times_in_elements_of_their_own() -> None:
    page = """<feed xmlns="http://www.w3.org/2005/Atom" xmlns:ev="http://purl.org/rss/1.0/modules/event/"
        xmlns:media="http://search.yahoo.com/mrss/"><entry><id>tag:1</id><title>Jazz</title>
        <link href="/jazz"/><category term="Music"/><ev:startdate>2025-09-27T20:00</ev:startdate>
        <ev:enddate>2025-09-27T22:00</ev:enddate><ev:location>Hall</ev:location>
        <media:content url="/jazz.jpg"/></entry></feed>"""

    [event] = read(page)

    assert (event.start, event.end) == (at(2025, 9, 27, 12), at(2025, 9, 27, 14))
    assert (event.source_event_id, event.url) == ("tag:1", "https://site.example/jazz")
    assert (event.venue, event.categories) == (Place(name="Hall"), ("Music",))
    assert event.images == ("https://site.example/jazz.jpg",)


@pytest.mark.parametrize("title", ["Encore", "It Happens", "Der Ring", "A", "龍舟"])
def test_no_title_is_refused_for_what_it_holds(title: str) -> None:
    assert [one.title for one in read([{"title": title, "date": "2025-09-27"}])] == [title]


@pytest.mark.parametrize("title", ["--", "", "  ", "Learn More"])
def test_what_is_no_title_makes_no_event(title: str) -> None:
    assert read([{"title": title, "date": "2025-09-27"}]) == []


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({"timezone": "MYT"}, "no time zone"),
        ({"selectors": {"title": "h3[["}}, "no CSS selector"),
        ({"selectors": {"headline": "h3"}}, "nothing that can be selected"),
    ],
)
def test_hints_that_nobody_can_work_with_are_refused(known: dict[str, Any], words: str) -> None:
    given = {"timezone": "Asia/Macau", "currency": None, "selectors": {}, "today": TODAY}

    with pytest.raises(BadInput, match=words):
        Hints(**{**given, **known})


def test_a_year_that_a_heading_above_tells_holds_for_what_is_below_it() -> None:
    page = """<title>Events</title><h1>Calendar 2026</h1>
        <h2>January</h2><div class="c"><h3>Parade 2020</h3><i>Jan 5</i></div>
        <h2>December 2025</h2><div class="c"><h3>Market</h3><i>Dec 1-24</i></div>
        <h2>More</h2><div class="c"><h3>Races</h3><i>Sun 14 Jun</i></div>
        <div class="c"><h3>Fair</h3><i>Tue 14 Jun</i></div>"""

    parade, market, races, fair = read(page, hints(item=".c", title="h3", date="i"))

    assert [one.start for one in (parade, market, races)] == [
        *(at(2026, 1, 4, 16), at(2025, 11, 30, 16), at(2026, 6, 13, 16))
    ]
    assert parade.sources["start"] == "selectors, year by a heading"
    assert (fair.start, fair.doubts) == (None, ("not understood: the year is not told",))


@pytest.mark.parametrize("heading", ["Season 2025/26", "2025 and 2026", "Now"])
def test_a_heading_that_tells_no_one_year_tells_none(heading: str) -> None:
    page = f'<h1>{heading}</h1><div class="c"><h3>Parade</h3><i>Jun 5</i></div>'

    [event] = read(page, hints(item=".c", title="h3", date="i"))

    assert event.start is None

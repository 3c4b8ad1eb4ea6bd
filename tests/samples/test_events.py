"""The recorded pages, feeds and files of events: what is read of them, by hand and in numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from lxml import etree

from n8n_scraper.reading.schedule import Unreadable, read_schedule
from n8n_scraper.reading.values import Price, Status
from n8n_scraper.reading.whens import Calendar, read_when
from n8n_scraper.reading.words import lines
from n8n_scraper.sources.events.adapters import found_in
from n8n_scraper.sources.events.found import Found, Hints, Place

HONG_KONG = Calendar(ZoneInfo("Asia/Hong_Kong"))
ISO = "%Y-%m-%dT%H:%M"

Read = Callable[..., list[Found]]


@dataclass(frozen=True)
class Share:
    """How many different texts a file has, and how many of them are not understood."""

    file: str
    field: str
    texts: int
    not_understood: int


# docs/reference/reading-pages.md says what these are.
SHARES = (
    Share("lcsd_events.xml", "predateE", 697, 7),
    Share("lcsd_events.xml", "predateC", 698, 9),
    Share("lcsd_events_2024-12.xml", "predateE", 724, 10),
    Share("lcsd_events_2024-12.xml", "predateC", 741, 12),
    Share("lcsd_small_events.xml", "predateE", 75, 1),
    Share("lcsd_small_events.xml", "predateC", 75, 2),
    Share("lcsd_small_eventDates.xml", "indate", 370, 1),
    Share("lcsd_eventDates.xml", "indate", 413, 1),  # 20990101, which stands for no date
)


@pytest.fixture(scope="module")
def folder(samples: Path) -> Path:
    """The folder of recorded events."""
    if not (samples / "events").is_dir():
        pytest.skip("no recorded events here")
    return samples / "events"


@pytest.fixture(scope="module")
def read(folder: Path) -> Read:
    """Read a recorded file as it would be read of its source."""

    def read_file(
        name: str, timezone: str = "America/New_York", url: str = "https://a.example/", **css: str
    ) -> list[Found]:
        known = Hints(timezone, None, css, date(2024, 3, 1))
        return found_in((folder / name).read_bytes(), url, None, known)

    return read_file


def starts(events: list[Found]) -> list[str]:
    return [f"{one.start:{ISO}}" if one.start else "none" for one in events]


@pytest.mark.parametrize("share", SHARES, ids=lambda one: f"{one.file}-{one.field}")
def test_nearly_every_recorded_text_about_time_is_understood(folder: Path, share: Share) -> None:
    texts = _texts(folder / share.file, share.field)

    unread = [text for text in texts if not read_when(text, HONG_KONG).occurrences]

    assert (len(texts), len(unread)) == (share.texts, share.not_understood)


def test_the_two_languages_of_an_event_say_the_same(folder: Path) -> None:
    compared = same = 0
    for file in ("lcsd_events.xml", "lcsd_events_2024-12.xml"):
        for event in etree.parse(folder / file).getroot():
            told = {str(one.tag): lines(one.text) or "" for one in event}
            try:
                english, chinese = (read_schedule(told[f"predate{sign}"]) for sign in "EC")
            except Unreadable:
                continue
            compared += 1
            same += english.days == chinese.days

    assert (compared, same) == (2073, 2055)  # the others contradict themselves in the source


def _texts(file: Path, field: str) -> list[str]:
    found = (lines(one.text) for one in etree.parse(file).getroot().iter(field))
    return sorted({text for text in found if text})


@pytest.mark.parametrize("number", ["001", "002", "003", "004", "008"])
def test_the_examples_of_schema_org_become_events(read: Read, number: str) -> None:
    events = read(f"schemaorg_Event.{number}.html")

    assert (
        starts(events)
        == {
            "001": ["2016-04-22T00:00"],
            "002": ["2011-05-20T04:00", "2011-05-23T04:00"],
            "003": ["2013-09-15T01:30"],
            "004": ["2013-09-15T01:30"],
            "008": ["2014-10-01T23:30"],
        }[number]
    )
    assert events[0].status is (Status.CANCELLED if number == "004" else None)
    if number in ("003", "004"):
        [event] = events
        assert event.price == Price("13.00", (13.0,), "USD", is_free=False)
        assert event.venue == Place("The Hi-Dive", "7 S. Broadway, Denver, CO, 80209", "Denver")


@pytest.mark.parametrize("name", ["elysianfields", "elysianfields_1"])
def test_an_artist_s_page_has_each_concert_once_at_its_own_hour(read: Read, name: str) -> None:
    events = read(f"songkick_{name}.html")

    assert starts(events) == [
        *("2017-06-10T23:30", "2017-04-27T03:00", "2016-10-29T19:00", "2016-10-27T18:30")
    ]
    assert events[0].venue == Place(
        *("The Owl Music Parlor", "497 Rogers Ave, Brooklyn, NY, 11225, US", "Brooklyn"),
        *(40.660109, -73.953193),
    )
    assert {one.price for one in events} == {None}


def test_the_page_of_one_concert_is_filled_from_its_head(read: Read) -> None:
    url = "https://www.songkick.com/concerts/30166884-tove-styrke-at-hoxton-square-bar-and-kitchen"

    [event] = read("songkick_tovestyrke.html", "Europe/London", url)

    assert event.start == datetime(2017, 6, 12, 19, tzinfo=UTC)
    assert event.detail_url is None or event.detail_url.startswith(url)
    assert event.sources["images"] == event.sources["description"] == "open-graph"


def test_a_page_of_recipes_has_no_events(read: Read) -> None:
    assert read("songkick_jsonld_empty_item.html") == []


def test_a_plugin_s_json_is_read_with_the_pieces_of_pages_in_it(read: Read) -> None:
    [event] = read("cityscrapers_cook_landbank.json", "America/Chicago")

    assert event.start == datetime(2019, 9, 13, 15, tzinfo=UTC)
    assert event.source_event_id == "4969"
    assert event.sources["start"] == "microdata"  # its JSON-LD has "2019-9-13T10-10-00-00"
    assert event.doubts == (
        "not understood: 2019-9-13T10-10-00-00",
        "json says that it begins at 2019-09-13T10:00Z",
    )


def test_numbers_with_the_month_in_front_are_known_by_the_others(read: Read) -> None:
    events = read("cityscrapers_chi_parks.json", "America/Chicago")

    assert len(events) == 19
    assert starts(events)[:2] == ["2017-12-13T21:30", "2017-12-06T21:30"]


def test_a_calendar_gives_every_meeting(read: Read) -> None:
    events = read("cityscrapers_chi_low_income_housing_trust_fund.ics", "America/Chicago")

    assert len(events) == 30
    assert starts(events)[:2] == ["2024-05-08T05:00", "2024-05-09T13:30"]
    assert [one.all_day for one in events][:2] == [True, False]
    assert all(one.doubts == () for one in events)


def test_cards_are_read_by_their_selectors(read: Read) -> None:
    galaxy = read(
        "engage_galaxy-sample.html", "Asia/Macau", item=".event-card", title=".event-title",
        date=".event-date", venue=".venue", link=".event-link",
    )  # fmt: skip
    office = read(
        "engage_mgto-sample.html", "Asia/Macau", title="h3", date=".event-date", venue=".venue",
        link="a",
    )  # fmt: skip

    assert starts(galaxy) == ["2024-03-25T12:00", "2024-04-15T11:30", "2024-04-30T13:00"]
    assert galaxy[0].url == "https://a.example/events/celine-dion-live"
    assert starts(office) == ["2024-03-14T16:00", "2024-04-19T16:00", "2024-06-09T16:00"]
    assert f"{office[1].end:{ISO}}" == "2024-04-22T16:00"
    assert office[2].url is None

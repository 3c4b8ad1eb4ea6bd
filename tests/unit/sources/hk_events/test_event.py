"""An event out of the three files of the open data."""

import pytest

from n8n_scraper.core.errors import BadContent
from n8n_scraper.sources.hk_events.item import Event, EventStatus, broken_promises
from tests.unit.sources.hk_events.given import events_of, records_in

EVENTS = """<?xml version="1.0" encoding="UTF-8"?>
<events><event id="7">
  <titlec><![CDATA[夜曲&nbsp;]]></titlec><titlee><![CDATA[{title}]]></titlee>
  <cat1><![CDATA[inc4]]></cat1><cat2><![CDATA[inc4sc2]]></cat2>
  <predateE><![CDATA[{words}]]></predateE>
  <progtimee><![CDATA[Not Applicable]]></progtimee>
  <venueid><![CDATA[{venue}]]></venueid>
  <pricee><![CDATA[$1,280, 880]]></pricee>
  <desce /><urle><![CDATA[https://example.org/nocturne]]></urle>
  <submitdate><![CDATA[2025-12-10 11:16:10.000]]></submitdate>
</event></events>"""
DATES = "<event_dates><event id='7'>{days}</event></event_dates>"
VENUES = b"""<venues>
  <venue id="1"><venuec>X</venuec><venuee><![CDATA[City Hall]]></venuee>
    <latitude>22.28</latitude><longitude>114.16</longitude></venue>
  <venue id="2"><venuec/><venuee>Library</venuee><latitude /><longitude /></venue>
</venues>"""


def event(
    words: str = "12/12/2025 (Fri) 7:30pm-9pm; 13/12/2025 (Sat) 3pm",
    days: tuple[str, ...] | None = ("20251212", "20251213"),
    title: str = "Nocturnes &amp;  Waltzes",
    venue: str = "1",
) -> Event:
    events = EVENTS.format(words=words, title=title, venue=venue).encode()
    text = "".join(f"<indate>{day}</indate>" for day in days or ())
    dates = DATES.format(days=text) if days is not None else "<event_dates/>"
    found = events_of(events, dates.encode(), VENUES)["7"]
    assert broken_promises(found) == []
    return found


def test_a_timed_event_lasts_from_its_first_start_to_its_last_end() -> None:
    found = event(words="12/12/2025 7:30pm-9pm; 13/12/2025 3pm-4pm")

    assert found.start == "2025-12-12T11:30:00Z"
    assert found.end == "2025-12-13T08:00:00Z"
    assert found.all_day is False
    assert found.timezone == "Asia/Hong_Kong"
    assert [one.date for one in found.occurrences] == ["2025-12-12", "2025-12-13"]


def test_an_end_that_is_not_told_is_none_with_its_reason() -> None:
    found = event()

    assert found.end is None
    assert found.unobserved["end"] == "the source tells no end"


def test_days_without_a_time_last_from_midnight_to_midnight() -> None:
    found = event(words="12-13/12/2025")

    assert found.all_day is True
    assert found.start == "2025-12-11T16:00:00Z"
    assert found.end == "2025-12-13T16:00:00Z"


def test_what_ends_past_midnight_ends_on_the_next_day() -> None:
    found = event(words="12/12/2025 11pm-2am", days=("20251212",))

    assert found.end == "2025-12-12T18:00:00Z"


def test_the_year_that_stands_for_no_date_is_none() -> None:
    found = event(words="31/5/2024 - 3/11/2024", days=("20990101",))

    assert found.occurrences == []
    assert found.start is None
    assert found.unobserved["start"] == "the source gives no day"


def test_days_that_only_one_of_the_files_knows_are_noted() -> None:
    found = event(words="12/12/2025 8pm; 14/12/2025 8pm", days=("20251212", "20251213"))

    assert found.date_disagreement is not None
    assert found.date_disagreement.only_in_text == ["2025-12-14"]
    assert found.date_disagreement.only_in_dates == ["2025-12-13"]
    unknown = found.occurrences[1]
    assert (unknown.date, unknown.start, unknown.all_day) == ("2025-12-13", None, None)


def test_files_that_agree_have_no_disagreement() -> None:
    assert event().date_disagreement is None


def test_the_days_of_the_words_count_where_the_dates_file_does_not_know_the_event() -> None:
    found = event(days=None)

    assert [one.date for one in found.occurrences] == ["2025-12-12", "2025-12-13"]
    assert found.schedule_doubts == ["the dates file does not know this event"]


def test_words_that_are_not_understood_leave_the_days_and_give_the_reason() -> None:
    found = event(words="whenever you like", days=("20251212",))

    assert found.occurrences[0].date == "2025-12-12"
    assert found.start is None
    assert found.unobserved["start"] == "not understood: whenever you like"


def test_two_dashes_are_no_title() -> None:
    found = event(title="--")

    assert (found.title, found.languages) == ("夜曲", ["zh-Hant"])


def test_texts_lose_their_entities_and_idle_spaces() -> None:
    assert event().title == "Nocturnes & Waltzes"
    assert event().duration is None


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Tampopo (Cancelled)", EventStatus.CANCELLED),
        ("Tampopo (Postponed)", EventStatus.POSTPONED),
        ("The Cancelled Wedding", EventStatus.ACTIVE),
    ],
)
def test_what_became_of_an_event_stands_behind_its_title(title: str, expected: EventStatus) -> None:
    assert event(title=title).status is expected


def test_a_venue_has_coordinates_where_there_are_any() -> None:
    hall, library = event(venue="1").venue, event(venue="2").venue

    assert hall is not None
    assert (hall.name, hall.latitude, hall.longitude) == ("City Hall", 22.28, 114.16)
    assert library is not None
    assert (library.name, library.name_zh, library.latitude) == ("Library", None, None)


def test_a_venue_that_nobody_lists_is_none_with_its_reason() -> None:
    found = event(venue="99")

    assert found.venue is None
    assert found.unobserved["venue"] == "the venues file has no venue 99"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<events><event id='7'>",
        b"<html><body>maintenance</body></html>",
        b"<!DOCTYPE x [<!ENTITY a 'b'>]><events>&a;</wrong>",
    ],
)
def test_a_file_that_is_not_whole_is_refused(body: bytes) -> None:
    with pytest.raises(BadContent):
        records_in(body)

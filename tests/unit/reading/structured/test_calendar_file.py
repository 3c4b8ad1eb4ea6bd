"""Calendars: folded lines, zones, whole days, and what comes again."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.reading.structured.calendar_file import Times, Within, read_calendar, times_of
from n8n_scraper.reading.structured.recurrence import Rule, read_rule

MACAU = ZoneInfo("Asia/Macau")
UNTIL = date(2026, 8, 20)
WITHIN = Within(date(2025, 6, 1), UNTIL)


def times(*lines: str) -> Times:
    text = "\r\n".join(("BEGIN:VCALENDAR", "BEGIN:VEVENT", *lines, "END:VEVENT", "END:VCALENDAR"))
    [entry] = read_calendar(text).entries
    return times_of(entry, MACAU, WITHIN)


def days(rule: str, first: date = date(2025, 9, 5)) -> list[str]:
    found = read_rule(rule, first, MACAU)
    assert isinstance(found, Rule), found
    return [day.isoformat() for day in found.days(WITHIN.since, UNTIL)]


def test_lines_are_unfolded_and_their_signs_read() -> None:
    text = 'BEGIN:VEVENT\nSUMMARY;X="a:b;c":One\\, \n two\\nthree\nEND:VEVENT\nnonsense\n'

    [entry] = read_calendar(text).entries

    assert entry.words("SUMMARY") == "One, two\nthree"
    assert entry.lines["SUMMARY"][0].parameters == {"X": "a:b;c"}


def test_an_alarm_within_an_event_says_nothing_of_the_event() -> None:
    text = "BEGIN:VEVENT\nBEGIN:VALARM\nSUMMARY:Ring\nEND:VALARM\nSUMMARY:Jazz\nEND:VEVENT"

    [entry] = read_calendar(text).entries

    assert entry.words("SUMMARY") == "Jazz"


@pytest.mark.parametrize(
    ("start", "zone"),
    [
        ("DTSTART:20250927T120000Z", None),
        ("DTSTART;TZID=Asia/Hong_Kong:20250927T200000", "Asia/Hong_Kong"),
        ("DTSTART;TZID=Europe/Lisbon:20250927T130000", "Europe/Lisbon"),
        ("DTSTART:20250927T200000", None),
    ],
)
def test_a_moment_is_in_the_zone_that_it_names(start: str, zone: str | None) -> None:
    found = times(start, "DURATION:PT1H30M")

    [one] = found.occurrences
    assert (one.start, found.zone) == (datetime(2025, 9, 27, 12, tzinfo=UTC), zone)
    assert one.end == datetime(2025, 9, 27, 13, 30, tzinfo=UTC)


def test_a_zone_that_nobody_knows_is_a_doubt() -> None:
    assert times("DTSTART;TZID=Macau Time:20250927T200000").doubts == ("no time zone: Macau Time",)


def test_whole_days_end_where_the_calendar_says() -> None:
    [one] = times("DTSTART;VALUE=DATE:20250905", "DTEND;VALUE=DATE:20250907").occurrences

    assert one.all_day
    assert one.end == datetime(2025, 9, 6, 16, tzinfo=UTC)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=DAILY;COUNT=3", ["2025-09-05", "2025-09-06", "2025-09-07"]),
        ("FREQ=DAILY;INTERVAL=2;UNTIL=20250909", ["2025-09-05", "2025-09-07", "2025-09-09"]),
        ("FREQ=WEEKLY;BYDAY=FR,SU;COUNT=3", ["2025-09-05", "2025-09-07", "2025-09-12"]),
        ("FREQ=WEEKLY;UNTIL=20250919T120000Z", ["2025-09-05", "2025-09-12", "2025-09-19"]),
        ("FREQ=MONTHLY;BYDAY=1FR;COUNT=2", ["2025-09-05", "2025-10-03"]),
        ("FREQ=MONTHLY;BYDAY=-1SU;COUNT=2", ["2025-09-28", "2025-10-26"]),
        ("FREQ=MONTHLY;COUNT=2", ["2025-09-05", "2025-10-05"]),
        ("FREQ=MONTHLY;BYMONTHDAY=31;COUNT=2", ["2025-10-31", "2025-12-31"]),
        ("FREQ=YEARLY", ["2025-09-05"]),
    ],
)
def test_plain_rules_give_their_days(rule: str, expected: list[str]) -> None:
    assert days(rule) == expected


@pytest.mark.parametrize(
    "rule",
    ["FREQ=HOURLY", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYSETPOS=1", "FREQ=DAILY;"
     "INTERVAL=0", "FREQ=WEEKLY;BYDAY=XX", "nonsense", "FREQ=DAILY;COUNT=x"],
)  # fmt: skip
def test_other_rules_are_a_doubt_and_the_first_time_is_kept(rule: str) -> None:
    found = times("DTSTART:20250905T120000Z", f"RRULE:{rule}")

    assert len(found.occurrences) == 1
    assert "comes again in a way that is not understood" in found.doubts[0]


def test_days_are_left_out_and_added() -> None:
    found = times(
        "DTSTART:20250905T200000", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20250906T200000",
        "RDATE:20250910T200000",
    )  # fmt: skip

    assert [one.start.day for one in found.occurrences] == [5, 7, 10]


def test_what_goes_on_without_an_end_is_told_for_a_while() -> None:
    found = times("DTSTART:20250905T200000", "RRULE:FREQ=WEEKLY")

    assert len(found.occurrences) == 50
    assert found.doubts == ("it comes again after 2026-08-14",)


def test_what_began_long_ago_is_told_from_now_on_and_what_is_over_by_its_first_time() -> None:
    goes_on = times("DTSTART:20100906T200000", "RRULE:FREQ=WEEKLY;UNTIL=20250615")
    is_over = times("DTSTART:20100906T200000", "RRULE:FREQ=WEEKLY;COUNT=3")

    assert [f"{one.start:%Y-%m-%d}" for one in goes_on.occurrences] == ["2025-06-02", "2025-06-09"]
    assert [f"{one.start:%Y-%m-%d}" for one in is_over.occurrences] == ["2010-09-06"]


def test_local_times_stay_what_they_are_when_the_clocks_change() -> None:
    text = (
        "BEGIN:VEVENT\nDTSTART;TZID=Europe/Lisbon:20251024T200000\n"
        "RRULE:FREQ=WEEKLY;COUNT=2\nEND:VEVENT"
    )
    [entry] = read_calendar(text).entries

    hours = [one.start.hour for one in times_of(entry, MACAU, WITHIN).occurrences]

    assert hours == [19, 20]


@given(st.text(alphabet='BEGIN:VTSUMAYRL;=,-+PZ0129\n FQWKDO"\\', max_size=120))
def test_no_text_raises_anything(text: str) -> None:
    for entry in read_calendar(f"BEGIN:VEVENT\n{text}").entries:
        times_of(entry, MACAU, WITHIN)


@given(st.text(alphabet="FREQ=DAILYWKMONTH;UBINVSCP-0129,", max_size=60))
def test_no_rule_raises_anything(text: str) -> None:
    rule = read_rule(f"FREQ=MONTHLY;{text}", date(2025, 9, 5), MACAU)
    if isinstance(rule, Rule):
        assert all(day <= UNTIL for day in rule.days(WITHIN.since, UNTIL))

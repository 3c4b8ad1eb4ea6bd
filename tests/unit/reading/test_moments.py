"""Days and moments as programs write them, and when something begins and ends by them."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.reading.moments import Point, between, occurrences_of, read_point, zone_of
from n8n_scraper.reading.schedule import read_schedule
from n8n_scraper.reading.values import Occurrence

MACAU = ZoneInfo("Asia/Macau")
DAY = date(2025, 9, 27)
EIGHT = datetime(2025, 9, 27, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2025-09-27T20:00",
        "2025-9-27 20:00:00",
        "2025-09-27T20:00:00+08:00",
        "2025-09-27T20:00:00+0800",
        "2025-09-27T12:00:00.000Z",
        "2025-09-27 12:00 UTC",
        "20250927T200000",
        "20250927T120000Z",
        "1758974400",
        "1758974400000",
        1758974400,
        "Sat, 27 Sep 2025 12:00:00 GMT",
        "Sat Sep 27 2025 20:00:00 GMT+0800 (China Standard Time)",
    ],
)
def test_a_moment_is_read_in_every_form(text: object) -> None:
    assert read_point(text, MACAU) == Point(DAY, EIGHT)


@pytest.mark.parametrize("text", ["2025-09-27", "20250927", "2025-9-27"])
def test_a_day_without_a_time_has_none(text: str) -> None:
    assert read_point(text, MACAU) == Point(DAY)


@pytest.mark.parametrize(
    "text",
    [
        *("", "soon", "2025-13-01", "2025-09-27T25:00", "0000-00-00 00:00:00", None, True, {}),
        *("2099-12-31", "1970-01-01T00:00:00Z", "0", "2019-9-13T10-10-00-00", "9" * 11),
    ],
)
def test_what_is_no_day_or_stands_for_none_is_none(text: object) -> None:
    assert read_point(text, MACAU) is None


def test_a_moment_late_in_the_day_in_utc_is_on_the_next_day_here() -> None:
    assert read_point("2025-09-26T16:00:00Z", MACAU) == Point(
        DAY, datetime(2025, 9, 26, 16, tzinfo=UTC)
    )


@pytest.mark.parametrize("name", ["MYT", "../../etc/passwd", "", None, "Asia", "\0"])
def test_what_is_no_zone_is_none(name: str | None) -> None:
    assert zone_of(name) is None


def test_an_end_is_taken_as_far_as_it_fits() -> None:
    start = Point(DAY, EIGHT)
    earlier, later = Point(DAY, EIGHT.replace(hour=11)), Point(DAY, EIGHT.replace(hour=14))

    assert between(start, later, MACAU) == (Occurrence(EIGHT, later.at), [])
    assert between(start, Point(DAY), MACAU) == (Occurrence(EIGHT), [])
    assert between(start, earlier, MACAU)[0] == Occurrence(EIGHT)
    assert "before it begins" in between(start, earlier, MACAU)[1][0]
    assert "at no time" in between(start, Point(date(2025, 9, 28)), MACAU)[1][0]


def test_something_told_in_days_ends_at_the_midnight_after_the_last() -> None:
    begins = datetime(2025, 9, 26, 16, tzinfo=UTC)
    inclusive = between(Point(DAY), Point(date(2025, 9, 28)), MACAU)
    exclusive = between(Point(DAY), Point(date(2025, 9, 29)), MACAU, end_is_exclusive=True)

    ends = datetime(2025, 9, 28, 16, tzinfo=UTC)
    assert inclusive == exclusive == (Occurrence(begins, ends, all_day=True), [])


def test_a_beginning_at_midnight_is_a_doubt() -> None:
    midnight = Point(DAY, datetime(2025, 9, 26, 16, tzinfo=UTC))

    assert between(midnight, None, MACAU)[1] == [
        "it begins at midnight: perhaps only the day is meant"
    ]


def test_days_that_follow_each_other_are_one_and_times_stay_apart() -> None:
    assert len(occurrences_of(read_schedule("5-28 Sep 2025"), MACAU)) == 1
    assert len(occurrences_of(read_schedule("5-7, 9 Sep 2025"), MACAU)) == 2
    assert len(occurrences_of(read_schedule("5-7 Sep 2025 8pm"), MACAU)) == 3


def test_what_ends_before_it_begins_ends_on_the_next_day() -> None:
    [one] = occurrences_of(read_schedule("27 Sep 2025 10pm - 2am"), MACAU)

    assert one.end == datetime(2025, 9, 27, 18, tzinfo=UTC)


@given(st.text(max_size=40) | st.integers() | st.floats())
def test_no_value_raises_anything(value: object) -> None:
    found = read_point(value, MACAU)

    assert found is None or 1971 <= found.day.year < 2099

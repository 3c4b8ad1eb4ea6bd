"""Days that are written without a year, and when that is known all the same."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.reading.schedule import Unreadable, read_schedule

TODAY = date(2025, 8, 20)


@pytest.mark.parametrize(
    ("words", "first", "last", "count"),
    [
        ("Sep 5-28", "2025-09-05", "2025-09-28", 24),
        ("Sep 6, 13, 20, Oct 1 & 6", "2025-09-06", "2025-10-06", 5),
        ("Dec 30 - Jan 2", "2025-12-30", "2026-01-02", 4),
        ("Jan 10", "2026-01-10", "2026-01-10", 1),
        ("Aug 1 - Aug 31", "2025-08-01", "2025-08-31", 31),
        ("9月27日(六) 下午3時30分", "2025-09-27", "2025-09-27", 1),
        ("5 Sep 2025, 6 Jan", "2025-09-05", "2026-01-06", 2),
    ],
)
def test_the_one_year_that_is_possible_is_taken(
    words: str, first: str, last: str, count: int
) -> None:
    found = read_schedule(words, today=TODAY)

    days = [day.isoformat() for day in found.days]
    assert (days[0], days[-1], len(days)) == (first, last, count)
    assert found.year_by == "the day of asking"


@pytest.mark.parametrize("words", ["Jun 10", "Feb 25", "Sun 27 Sep", "29 Feb", "Jul 1 - Jul 5"])
def test_a_year_that_could_be_another_is_not_guessed(words: str) -> None:
    with pytest.raises(Unreadable, match="the year is not told"):
        read_schedule(words, today=TODAY)


def test_without_a_day_to_measure_by_there_is_no_year() -> None:
    with pytest.raises(Unreadable):
        read_schedule("Sep 5-28")


def test_a_weekday_that_fits_one_year_only_tells_it() -> None:
    [day] = read_schedule("Tue 2 Jun", today=TODAY).days

    assert day == date(2026, 6, 2)


@given(st.dates(date(2020, 1, 1), date(2030, 1, 1)), st.integers(0, 182))
def test_what_lies_less_than_half_a_year_ahead_has_its_year(today: date, ahead: int) -> None:
    day = today + timedelta(days=ahead)
    if (day.month, day.day) == (2, 29):
        return

    assert list(read_schedule(f"{day:%B} {day.day}", today=today).days) == [day]

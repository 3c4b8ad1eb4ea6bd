"""What people write about days and times, and what it says."""

from datetime import date, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.reading.schedule import Span, read_schedule
from n8n_scraper.reading.schedule_tokens import Unreadable

AT_8PM = Span(time(20), None)


def days(words: str) -> list[str]:
    return [day.isoformat() for day in read_schedule(words).days]


def times(words: str, day: date) -> list[str]:
    return [
        f"{span.start:%H:%M}" + (f"-{span.end:%H:%M}" if span.end else "")
        for span in read_schedule(words).days[day]
    ]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("14/12/2025(Sun)14:30", ["2025-12-14"]),
        ("10 Jan 2026 (Sat) 4:00pm", ["2026-01-10"]),
        ("16.1.2026 (Fri) 8pm", ["2026-01-16"]),
        ("6, 13, 20, 27/12/2025 (Sat) 2:00pm-3:00pm",
         ["2025-12-06", "2025-12-13", "2025-12-20", "2025-12-27"]),
        ("12 (Fri) ; 17 (Wed) /12/2025 4:00pm", ["2025-12-12", "2025-12-17"]),
        ("23-24/01/2026(Fri-Sat) 20:00; 25/01/2026(Sun) 15:00",
         ["2026-01-23", "2026-01-24", "2026-01-25"]),
        ("30/01-1/2/2026(Fri-Sun)19:30", ["2026-01-30", "2026-01-31", "2026-02-01"]),
        ("31/12-2/1/2026 20:00", ["2025-12-31", "2026-01-01", "2026-01-02"]),
        ("17/12/2025(Wed)-19/12/2025(Fri) 10am-8pm", ["2025-12-17", "2025-12-18", "2025-12-19"]),
        ("4 Dec to 18 Dec 2025 (Every Thu) 5:00pm-7:00pm",
         ["2025-12-04", "2025-12-11", "2025-12-18"]),
        ("6 Dec to 27 Dec 2025 (Sat) 9:30am-2:00pm",
         ["2025-12-06", "2025-12-13", "2025-12-20", "2025-12-27"]),
        ("3 Jul, 10 Jul, 4 Dec to 11 Dec 2025 (Every Thu) 9:30am",
         ["2025-07-03", "2025-07-10", "2025-12-04", "2025-12-11"]),
        ("1 Nov to 29 Nov 2025 (Every Sat) 2:30pm-4:30pm  (Except 15/11, 29/11)",
         ["2025-11-01", "2025-11-08", "2025-11-22"]),
        ("2 Dec - 30 Dec 2025 (Every Tue) 1430-1630; Except 9 Dec, 23 Dec 2025",
         ["2025-12-02", "2025-12-16", "2025-12-30"]),
        ("2 Jan to 16 Jan 2026 (Every Fri) 2pm (Except 9/1),3 Jan to 10 Jan 2026 (Every Sat) 9am",
         ["2026-01-02", "2026-01-03", "2026-01-10", "2026-01-16"]),
        ("Feb 2026 (Every Sun) 0900-1130",
         ["2026-02-01", "2026-02-08", "2026-02-15", "2026-02-22"]),
        ("Dec 2025-Jan 2026 (Every Wed) 1930-2200",
         ["2025-12-03", "2025-12-10", "2025-12-17", "2025-12-24", "2025-12-31",
          "2026-01-07", "2026-01-14", "2026-01-21", "2026-01-28"]),
        ("1-3/12/2025", ["2025-12-01", "2025-12-02", "2025-12-03"]),
        ("12-13*, 16^/12/2025 19:30", ["2025-12-12", "2025-12-13", "2025-12-16"]),
        ("20/12/2025(Sat) 15:00, 20:0021/12/2025(Sun) 15:00", ["2025-12-20", "2025-12-21"]),
        ("7 [2:00pm-3:00pm], 14, 21 [3:30pm-4:30pm] /12/2024 (Sat)",
         ["2024-12-07", "2024-12-14", "2024-12-21"]),
        ("27 - 28 September 2025, 6:00pm", ["2025-09-27", "2025-09-28"]),
        ("September 27, 2025", ["2025-09-27"]),
        ("27-Sep-2025", ["2025-09-27"]),
        ("27/28 September 2025", ["2025-09-27", "2025-09-28"]),
        ("Sept 5th - 7th, 2025", ["2025-09-05", "2025-09-06", "2025-09-07"]),
        ("Sep 6, 13, Oct 1 & 6, 2025", ["2025-09-06", "2025-09-13", "2025-10-01", "2025-10-06"]),
        ("Sep 30 - Oct 2, 2025", ["2025-09-30", "2025-10-01", "2025-10-02"]),
        ("Fri 5 Sep - Sun 7 Sep 2025", ["2025-09-05", "2025-09-06", "2025-09-07"]),
        ("Every Mon, 5 Jan 2026 - 26 Jan 2026 except Jan 12, 8pm",
         ["2026-01-05", "2026-01-19", "2026-01-26"]),
        ("2 Jul - 9 Jul 2024 (Every Tue, Wed); Except 3, 9 Jul 2024", ["2024-07-02"]),
        ("2025-09-27T20:00", ["2025-09-27"]),
        ("2025/09/27 - 2025/09/28", ["2025-09-27", "2025-09-28"]),
        ("2025年9月27日", ["2025-09-27"]),
        ("2025年9月6、13日及10月1日", ["2025-09-06", "2025-09-13", "2025-10-01"]),
        ("2025年12月31日至1月2日 晚上8時", ["2025-12-31", "2026-01-01", "2026-01-02"]),
        ("2026年1月5日至1月26日 (逢星期一) 下午2:30 (12/1 除外)",
         ["2026-01-05", "2026-01-19", "2026-01-26"]),
        ("2025年7月7日至7月21日 (逢星期一) 0930-1130, 2025年7月14日除外",
         ["2025-07-07", "2025-07-21"]),
    ],
)  # fmt: skip
def test_days_are_read_in_every_shape_that_people_write(words: str, expected: list[str]) -> None:
    assert days(words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("7/12/2025 7:30pm", ["19:30"]),
        ("7/12/2025 12:00nn-1:00pm", ["12:00-13:00"]),
        ("7/12/2025 12:00am", ["00:00"]),
        ("7/12/2025 10am – 8pm", ["10:00-20:00"]),
        ("7/12/2025 7:30-9:30pm", ["19:30-21:30"]),
        ("7/12/2025 11:30-1:30pm", ["11:30-13:30"]),
        ("7/12/2025 9:30am to 11:30am", ["09:30-11:30"]),
        ("7/12/2025 0930-1130", ["09:30-11:30"]),
        ("7/12/2025(Sun) 11:00; 16:00", ["11:00", "16:00"]),
        ("7/12/2025(Sun) 10:45, 14:30 & 19:30", ["10:45", "14:30", "19:30"]),
        ("7, 14 (Sun) [11:00am-12:00nn] ; 7 (Sun) [1:00pm-2:00pm] /12/2025",
         ["11:00-12:00", "13:00-14:00"]),
        ("5/12/2025 - 9/12/2025 Fri to Sat 16:30 Sun to Mon 15:00, 19:30", ["15:00", "19:30"]),
        ("7/12/2025", []),
        ("7/12/2025 8pm - 12 midnight", ["20:00-00:00"]),
        ("7/12/2025 9.30am", ["09:30"]),
        ("7 Dec 2025 - 7:30pm", ["19:30"]),
        ("8pm, 7/12/2025; 9pm, 8/12/2025", ["20:00"]),
        ("Fri 5/12/2025 8pm, Sun 7/12/2025 9pm", ["21:00"]),
        ("2025年12月7日 下午3:00及7:30", ["15:00", "19:30"]),
        ("2025年12月7日 晚上7時半", ["19:30"]),
        ("2025年12月7日(日) 中午12:00至晚上12時", ["12:00-00:00"]),
    ],
)  # fmt: skip
def test_the_times_of_a_day_are_read(words: str, expected: list[str]) -> None:
    assert times(words, date(2025, 12, 7)) == expected


def test_each_group_of_days_has_its_own_times() -> None:
    words = "12/12/2025 (Fri) 19:30\n13/12/2025 (Sat) 14:00 &17:30"

    assert times(words, date(2025, 12, 12)) == ["19:30"]
    assert times(words, date(2025, 12, 13)) == ["14:00", "17:30"]


def test_a_weekday_that_is_another_is_a_doubt_and_the_day_stays() -> None:
    found = read_schedule("27/12/2025 (Sun) 8pm")

    assert found.days == {date(2025, 12, 27): (AT_8PM,)}
    assert found.doubts == ("2025-12-27 is a Saturday",)


def test_a_weekday_in_front_of_a_day_is_tried_against_it() -> None:
    assert read_schedule("Sat 27 Sep 2025").doubts == ()
    assert read_schedule("Sun 27 Sep 2025").doubts == ("2025-09-27 is a Saturday",)


def test_a_midnight_at_which_something_begins_is_a_doubt() -> None:
    assert read_schedule("31 Dec 2025, 12 midnight").doubts == (
        "12 midnight: of the night before, or the one after?",
    )


def test_numbers_are_read_with_the_month_in_front_where_that_is_how_they_are_written() -> None:
    [day] = read_schedule("12/6/2017 3:30 PM", month_first=True).days

    assert day == date(2017, 12, 6)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "31/12/2099",
        "10:00 AM",
        "Every Friday",
        "October 2025",
        "Sep 5-28",
        "March madness 5/12/2025",
        "2025年12月7日 上午11:00, 2:00",
        "to be announced",
        "8 Jan 20236 to 25 Jun 2026 (Every Thu)",
        "04/11/202(Tue)-28/02/2026(Sat)",
        "30/2/2026",
        "5/12/2025 25:00",
        "5/12/2025 13:00pm",
        "9:00am-11:3am 5/12/2025",
        "5, 12 (Fri)",
        "1/1/2020-1/1/2026",
        "1/12/2025-9/12/2025 Closed on Tuesdays",
        "5/12/2025 8pm (Except)",
    ],
)
def test_what_is_not_understood_is_refused_as_a_whole(words: str) -> None:
    with pytest.raises(Unreadable):
        read_schedule(words)


@given(st.text(alphabet="0123456789/.-:;,&()[] \namptoJanDecEveryWdExcSus", max_size=60))
def test_no_words_raise_anything_else(words: str) -> None:
    try:
        found = read_schedule(words)
    except Unreadable:
        return

    assert found.days


@given(st.dates(date(2000, 1, 1), date(2098, 10, 1)), st.integers(1, 60))
def test_a_range_is_every_day_from_its_first_to_its_last(first: date, more: int) -> None:
    last = first + timedelta(days=more)

    found = read_schedule(f"{first:%d/%m/%Y} - {last:%d/%m/%Y} 8pm")

    assert list(found.days) == [first + timedelta(days=step) for step in range(more + 1)]

"""When something takes place, in the words of people and programs, alone and among other lines."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.reading.blocks import Block, apart
from n8n_scraper.reading.whens import (
    Calendar,
    is_about_time,
    month_first_in,
    read_from_to,
    read_when,
)

HERE = Calendar(ZoneInfo("Asia/Macau"), date(2025, 8, 20))


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2025-09-05", "2025-09-07"),
        ("5 Sep 2025", "7 Sep 2025"),
        ("Sep 5", "Sep 7"),
        ("2025年9月5日", "9月7日"),
    ],
)
def test_a_beginning_and_an_end_are_read_together(start: str, end: str) -> None:
    [one] = read_from_to(start, end, HERE).occurrences

    assert (one.end - one.start).days == 3 if one.end else False


@pytest.mark.parametrize(
    "words",
    [
        "5 Sep 2025 8:00pm to 6 Sep 2025 2:00am",
        "5 Sep 2025, 20:00 – 6 Sep 2025, 02:00",
        "2025-09-05 20:00 - 2025-09-06 02:00",
        "2025年9月5日 20:00 至 9月6日 02:00",
    ],
)
def test_from_one_moment_to_another_is_one_time(words: str) -> None:
    [one] = read_when(words, HERE).occurrences

    assert (one.start, one.end) == (
        datetime(2025, 9, 5, 12, tzinfo=UTC),
        datetime(2025, 9, 5, 18, tzinfo=UTC),
    )


def test_an_end_that_is_not_understood_leaves_the_beginning() -> None:
    found = read_from_to("2025-09-05T20:00", "late", HERE)

    assert [one.end for one in found.occurrences] == [None]
    assert found.doubts == ("not understood: late",)


def test_how_numbers_are_written_is_told_by_the_others_on_the_page() -> None:
    assert month_first_in(["12/13/2017", "12/6/2017"]) is True
    assert month_first_in(["13/12/2017", "12/6/2017"]) is False
    assert month_first_in(["12/6/2017"]) is None
    assert month_first_in(["12/13/2017 and 13/12/2017"]) is None


def test_numbers_that_could_be_read_both_ways_are_not_where_nobody_knows() -> None:
    unknown = Calendar(ZoneInfo("America/Chicago"), None, None)

    assert read_when("12/6/2017", unknown).occurrences == ()
    assert read_when("6/6/2017", unknown).occurrences
    assert read_when("12/13/2017", Calendar(unknown.zone, None, month_first=True)).occurrences


@pytest.mark.parametrize(
    ("lines", "block"),
    [
        (
            ["Cotai Arena", "27 - 28 September 2025, 6:00pm", "From MOP488"],
            Block("Cotai Arena", "27 - 28 September 2025, 6:00pm", "From MOP488"),
        ),
        (
            ["The Londoner Arena, The Londoner Macao 18 Oct 2025 (Sat) 8:00pm From MOP488"],
            Block(
                "The Londoner Arena, The Londoner Macao", "18 Oct 2025 (Sat) 8:00pm", "From MOP488"
            ),
        ),
        (["Hall 3"], Block("Hall 3", None, None)),
        (["Free admission", "Hall"], Block("Hall", None, "Free admission")),
        ([], Block(None, None, None)),
    ],
)
def test_a_block_is_taken_apart(lines: list[str], block: Block) -> None:
    assert apart(lines) == block


def test_a_line_about_time_says_nothing_else() -> None:
    assert is_about_time("Sat 27 Sep, 8pm")
    assert not any(is_about_time(line) for line in ("May Fair", "", "(-)", "27 monkeys"))


@given(st.text(max_size=120))
def test_no_words_raise_anything(words: str) -> None:
    found = read_when(words, HERE)

    assert found.occurrences or found.doubts
    apart(words.splitlines())

"""What an answer for robots.txt says of the clocks."""

import pytest

from n8n_scraper.doctor.site import Robots

AT = 1_800_000_000.0
DATE = "Fri, 15 Jan 2027 08:00:00 GMT"


def test_a_clock_is_compared_in_the_middle_of_question_and_answer() -> None:
    assert Robots(200, "", DATE, AT, AT + 1).skew_seconds == pytest.approx(0)
    assert Robots(200, "", DATE, AT + 60, AT + 61).skew_seconds == pytest.approx(60)


@pytest.mark.parametrize("date", [None, "", "yesterday", "Fri, 99 Jan 2027 08:00:00 GMT"])
def test_a_server_that_tells_no_time_says_nothing_of_the_clock(date: str | None) -> None:
    assert Robots(200, "", date, AT, AT).skew_seconds is None

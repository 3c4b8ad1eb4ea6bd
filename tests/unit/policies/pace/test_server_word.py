"""How long a server asks us to stay away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.pace.server_word import retry_after

NOW = 1_445_412_480.0  # Wed, 21 Oct 2015 07:28:00 GMT


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("2", 2.0),  # seconds
        (" 120 ", 120.0),
        ("0", 0.0),
        ("1.5", 1.5),  # not in the standard, but seen
        ("-5", 0.0),  # negative means now
        ("999999999999999999999", 3600.0),  # huge: the cap
        ("9" * 400, 3600.0),  # so huge that it is infinite
        ("Wed, 21 Oct 2015 07:28:30 GMT", 30.0),  # a date
        ("Wednesday, 21-Oct-15 07:28:30 GMT", 30.0),  # its oldest form
        ("Wed, 21 Oct 2015 07:28:30", 30.0),  # without a zone it is GMT
        ("Wed, 21 Oct 2015 09:28:30 +0200", 30.0),
        ("Wed, 21 Oct 2015 07:27:00 GMT", 0.0),  # in the past means now
        ("Fri, 31 Dec 9999 23:59:59 GMT", 3600.0),
        ("Fri, 31 Dec 9999 23:59:59 -2359", 3600.0),  # beyond the calendar in GMT
        (None, None),  # no header
        ("", None),
        ("   ", None),
        ("soon", None),  # no word we know
        ("nan", None),
        ("inf", None),
        ("-inf", None),
        ("1e3", None),
        ("2 seconds", None),
        ("٣", None),  # digits of another script are no HTTP digits
        ("Wed, 99 Oct 2015 07:28:00 GMT", None),
    ],
)
def test_the_word_of_the_server(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, now_wall=NOW, cap=3600) == seconds


def test_the_cap_can_be_chosen() -> None:
    assert retry_after("500", now_wall=NOW, cap=60) == 60


@given(
    value=st.one_of(st.text(), st.from_regex(r"[-+0-9.:, A-Za-z]{0,40}", fullmatch=True)),
    now_wall=st.floats(0, 4e9),
)
def test_any_header_gives_a_wait_within_the_cap_or_none(value: str, now_wall: float) -> None:
    seconds = retry_after(value, now_wall=now_wall, cap=3600)

    assert seconds is None or 0 <= seconds <= 3600

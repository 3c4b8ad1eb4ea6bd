"""The moment that a person means."""

import pytest

from n8n_scraper.core.since import moment

NOW = "2026-11-18T12:00:00.000Z"


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("3d", "2026-11-15T12:00:00.000Z"),
        ("30m", "2026-11-18T11:30:00.000Z"),
        (" 12 h ", "2026-11-18T00:00:00.000Z"),
        ("2w", "2026-11-04T12:00:00.000Z"),
        ("2026-11-01", "2026-11-01T00:00:00.000Z"),
        ("2026-11-01T08:30", "2026-11-01T08:30:00.000Z"),
        ("2026-11-01T08:30:00+02:00", "2026-11-01T06:30:00.000Z"),
        ("2026-11-01T08:30:00.123Z", "2026-11-01T08:30:00.123Z"),
    ],
)
def test_a_day_a_time_and_a_span_are_understood(given: str, meant: str) -> None:
    assert moment(given, NOW) == meant


@pytest.mark.parametrize(
    "given",
    [
        "",
        "yesterday",
        "d",
        "3y",
        "-3d",
        "2026-13-01",
        "999999w",
        "20261101T101500-ab12",
        "0001-01-01T00:00+14:00",
    ],
)
def test_anything_else_names_no_moment(given: str) -> None:
    assert moment(given, NOW) is None

"""Times as times, beside the texts that they were read from."""

from datetime import datetime

import pytest

from n8n_scraper.exports.moments import moment_of, times_of
from n8n_scraper.sources.n8n.source import SOURCE


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-01-02T03:04:05.678Z", datetime(2026, 1, 2, 3, 4, 5, 678_000)),
        ("2026-01-02T03:04:05+02:00", datetime(2026, 1, 2, 1, 4, 5)),
        ("2026-01-02T03:04:05", datetime(2026, 1, 2, 3, 4, 5)),
        ("0001-01-01T00:00:00+02:00", None),
        ("last week", None),
        ("", None),
        (None, None),
    ],
)
def test_a_moment_is_read_in_utc(text: str | None, moment: datetime | None) -> None:
    assert moment_of(text) == moment


def test_every_field_that_holds_a_moment_has_its_column() -> None:
    names = SOURCE.kind().item.model_fields

    assert times_of(SOURCE, names) == {
        "created_at": "created_time",
        "removed_at": "removed_time",
        "scraped_at": "scraped_time",
    }

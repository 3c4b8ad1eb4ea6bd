"""Whether a process works on a run."""

import pytest

from n8n_scraper.policies.run.standing import Standing, standing_of


@pytest.mark.parametrize(
    ("status", "has_workers", "standing"),
    [
        ("running", True, Standing.LIVE),
        ("running", False, Standing.STALE),
        ("finished", False, Standing.ENDED),
        ("stopped", True, Standing.ENDED),  # one of them has not heard of it yet
    ],
)
def test_a_run_lives_as_long_as_one_of_its_workers(status, has_workers, standing) -> None:
    assert standing_of(status, has_workers=has_workers) is standing

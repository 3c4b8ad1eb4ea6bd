"""Whether a process works on a run."""

import pytest

from n8n_scraper.policies.run.standing import Standing, standing_of


@pytest.mark.parametrize(
    ("status", "lease_left", "standing"),
    [
        ("running", 3.0, Standing.LIVE),
        ("running", 0.0, Standing.STALE),
        ("running", -30.0, Standing.STALE),
        ("running", None, Standing.STALE),  # entered by a version without leases
        ("finished", None, Standing.ENDED),
        ("stopped", 10.0, Standing.ENDED),
    ],
)
def test_a_run_lives_as_long_as_its_lease(status, lease_left, standing) -> None:
    assert standing_of(status, lease_left) is standing

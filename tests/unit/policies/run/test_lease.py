"""For how long a silent process keeps its run."""

from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.run.lease import RENEWALS, lease_seconds


@given(wait=st.floats(min_value=0.1, max_value=100_000))
def test_a_wait_that_begins_just_before_a_renewal_ends_within_the_lease(wait: float) -> None:
    lease = lease_seconds(wait)

    assert lease / RENEWALS + wait < lease

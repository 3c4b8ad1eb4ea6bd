"""How far a run is, in figures."""

from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.run.counts import Counts


def test_what_has_ended_and_what_is_left_is_all() -> None:
    counts = Counts({"complete": 38, "failed": 2}, unsettled=2, left=60)

    assert (counts.done, counts.left, counts.total, counts.settled) == (40, 60, 100, 38)
    assert counts.success_percent == 95.0


def test_where_nothing_has_ended_there_is_no_success_to_tell() -> None:
    assert Counts(left=7).success_percent is None


@given(settled=st.integers(0, 10**7), unsettled=st.integers(1, 10**7))
def test_only_a_whole_is_a_hundred_percent(settled: int, unsettled: int) -> None:
    percent = Counts({"complete": settled, "failed": unsettled}, unsettled).success_percent

    assert percent is not None
    assert percent <= 99.9

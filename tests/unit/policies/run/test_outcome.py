"""How an item ended, from how its parts ended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.item import Outcome, PartState, PartStatus
from n8n_scraper.policies.run.outcome import cause, is_the_sites_doing, outcome_of

OK = PartState(status=PartStatus.OK)
MISSING = PartState(status=PartStatus.MISSING, category="not_found", reason="404")
SKIPPED = PartState(status=PartStatus.SKIPPED)
FAILED = PartState(status=PartStatus.FAILED, category="timeout", reason="too slow")
REFUSED = PartState(status=PartStatus.FAILED, category="blocked")
any_state = st.sampled_from([OK, MISSING, SKIPPED, FAILED, REFUSED])


def parts(*states: PartState) -> dict[str, PartState]:
    return dict(zip(("metadata", "json", "page"), states, strict=True))


@pytest.mark.parametrize(
    ("states", "outcome"),
    [
        ((OK, OK, OK), Outcome.COMPLETE),
        ((OK, SKIPPED, SKIPPED), Outcome.COMPLETE),  # a lean chain
        ((OK, MISSING, OK), Outcome.PARTIAL),
        ((OK, OK, FAILED), Outcome.PARTIAL),
        ((FAILED, OK, OK), Outcome.PARTIAL),
        ((MISSING, SKIPPED, SKIPPED), Outcome.GONE),
        ((MISSING, MISSING, MISSING), Outcome.GONE),
        ((REFUSED, SKIPPED, SKIPPED), Outcome.BLOCKED),
        ((FAILED, FAILED, FAILED), Outcome.FAILED),
        ((FAILED, MISSING, MISSING), Outcome.FAILED),  # not gone: nobody knows
    ],
)
def test_the_outcome_follows_from_the_parts(states, outcome) -> None:
    assert outcome_of(parts(*states)) is outcome


@given(st.tuples(any_state, any_state, any_state))
def test_every_end_has_one_outcome_and_a_cause_unless_it_is_whole(states) -> None:
    ended = parts(*states)

    outcome = outcome_of(ended)

    if outcome is Outcome.COMPLETE:
        assert cause(ended) is None
        assert is_the_sites_doing(ended)
    elif any(state != SKIPPED for state in states):
        assert cause(ended) is not None


def test_a_failure_is_told_before_what_is_missing() -> None:
    assert cause(parts(OK, MISSING, FAILED)) == FAILED
    assert not is_the_sites_doing(parts(OK, MISSING, FAILED))
    assert is_the_sites_doing(parts(OK, MISSING, OK))

"""What becomes of an item when a program elsewhere reports on it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.ledger.ledger import State
from n8n_scraper.policies.run.reported import Effect, Report, decide, meaning_of, report_of

ENDED = [State.DONE, State.FAILED, State.INVALID, State.GONE, State.BLOCKED]
states = st.sampled_from([str(state) for state in State])
reports = st.sampled_from(Report)
attempts = st.integers(0, 9)
AFTER = {
    Report.DONE: "done",
    Report.FAILED: "failed",
    Report.INVALID: "invalid",
    Report.AGAIN: "pending",
}


@given(states, reports, attempts)
def test_the_same_report_twice_is_one(state: str, said: Report, tried: int) -> None:
    first = decide(state, said, tried, most_attempts=9)

    if first.effect not in (Effect.REFUSED, Effect.NOTHING):
        again = decide(AFTER[said], said, tried + 1, most_attempts=9)
        assert again.effect is Effect.NOTHING


@given(reports, attempts)
def test_what_a_crawl_has_in_hand_is_its_own(said: Report, tried: int) -> None:
    assert decide("claimed", said, tried, most_attempts=3).effect is Effect.REFUSED


@given(reports, attempts)
def test_what_is_done_or_gone_stays_so(said: Report, tried: int) -> None:
    for state in ("done", "gone"):
        effect = decide(state, said, tried, most_attempts=3).effect
        assert effect in (Effect.NOTHING, Effect.REFUSED)


@given(st.sampled_from(["failed", "invalid", "blocked"]), st.integers(1, 9))
def test_what_failed_is_tried_again_so_many_times_and_no_more(state: str, tried: int) -> None:
    effect = decide(state, Report.AGAIN, tried, most_attempts=3).effect

    assert effect is (Effect.REOPEN if tried < 3 else Effect.REFUSED)


@pytest.mark.parametrize("state", ["failed", "invalid", "blocked"])
def test_what_failed_may_turn_out_to_be_done(state: str) -> None:
    assert decide(state, Report.DONE, 3, most_attempts=3).effect is Effect.REOPEN_AND_CLOSE


@pytest.mark.parametrize("state", ENDED)
def test_every_end_means_something_to_whoever_reports(state: State) -> None:
    assert meaning_of(state) is not None


def test_an_item_that_has_not_ended_is_pending_to_whoever_reports() -> None:
    assert meaning_of(State.PENDING) is None
    assert meaning_of(State.CLAIMED) is None


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["invalid", "failed", "done"], Report.DONE),
        (["invalid", "failed"], Report.FAILED),
        (["invalid"], Report.INVALID),
        ([], Report.AGAIN),
    ],
)
def test_of_several_flags_the_best_counts(flags: list[str], said: Report) -> None:
    assert report_of(flags) is said

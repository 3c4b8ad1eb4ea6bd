"""Our runs and outcomes in the words of the contract."""

import pytest

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.etl.etl_settings import Finalising
from n8n_scraper.etl.mapping import (
    Flags,
    closing_as_payload,
    creation,
    domain_of,
    ending_as_payload,
    finalisation,
    flags_of,
)
from n8n_scraper.ledger.ledger import Closing, State
from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.reports.outgoing import OutgoingRun

RUN = OutgoingRun(
    "20260101T000000-ab12",
    "n8n",
    "https://www.n8n.io",
    {},
    "2026-01-01T00:00:00.000Z",
    "2026-01-01T01:00:00.000Z",
    "finished",
    is_planned=True,
)


def told(state: State, outcome: Outcome, **why: str) -> Flags:
    return flags_of(closing_as_payload(Closing("7", state, outcome, **why)))


@pytest.mark.parametrize(
    ("state", "outcome", "flags"),
    [
        (State.DONE, Outcome.COMPLETE, Flags(done=True)),
        (State.DONE, Outcome.PARTIAL, Flags(done=True)),
        (State.FAILED, Outcome.FAILED, Flags(failed=True, reason="timeout: it took too long")),
        (State.FAILED, Outcome.PARTIAL, Flags(failed=True, reason="timeout: it took too long")),
        (State.BLOCKED, Outcome.BLOCKED, Flags(failed=True, reason="timeout: it took too long")),
        (State.GONE, Outcome.GONE, Flags(invalid=True, reason="timeout: it took too long")),
        (State.INVALID, Outcome.FAILED, Flags(invalid=True, reason="timeout: it took too long")),
    ],
)
def test_what_asking_again_could_bring_has_failed_and_the_rest_is_settled(
    state: State, outcome: Outcome, flags: Flags
) -> None:
    assert told(state, outcome, category="timeout", reason="it took too long") == flags


@pytest.mark.parametrize("state", [state for state in State if state not in ("pending", "claimed")])
@pytest.mark.parametrize("outcome", list(Outcome))
def test_of_an_item_that_has_ended_exactly_one_flag_is_true(state: State, outcome: Outcome) -> None:
    assert sum(told(state, outcome).kind) == 1


def test_a_reason_that_is_not_known_is_said_to_be_none() -> None:
    assert told(State.GONE, Outcome.GONE).reason == "gone: no reason given"


def test_all_flags_are_said_so_that_none_is_left_from_before() -> None:
    assert Flags(done=True).as_changes() == {
        "done": True,
        "failed": False,
        "invalid": False,
        "failedReason": None,
    }


@pytest.mark.parametrize(
    ("site", "domain"),
    [("https://www.n8n.io", "n8n.io"), ("http://127.0.0.1:80/x", "127.0.0.1"), ("", "")],
)
def test_a_domain_is_a_host_without_its_www(site: str, domain: str) -> None:
    assert domain_of(site) == domain


def test_a_run_is_created_with_all_its_items_and_our_name_for_it() -> None:
    assert creation(RUN, ["https://n8n.io/workflows/7/"]) == {
        "domain": "n8n.io",
        "source": "n8n",
        "metadata": {"started_at": RUN.started_at, "run_id": RUN.run_id},
        "items": [{"url": "https://n8n.io/workflows/7/"}],
    }


def test_a_run_is_over_in_the_words_that_the_settings_name() -> None:
    counts = Counts({"complete": 5, "partial": 1, "gone": 2, "failed": 1}, unsettled=1)
    payload = ending_as_payload(RUN, counts)

    assert finalisation(payload, Finalising.FLAG) == {"finalize": True}
    assert finalisation(payload, Finalising.STATUS) == {
        "status": "finished",
        "endTime": RUN.ended_at,
        "metadata": {
            "started_at": RUN.started_at,
            "finished_at": RUN.ended_at,
            "total_count": 9,
            "finished_count": 6,
            "failed_count": 1,
        },
    }

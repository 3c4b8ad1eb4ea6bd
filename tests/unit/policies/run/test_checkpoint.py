"""The checkpoint document."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.run.checkpoint import KEYS, document, is_whole, new_id
from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.policies.run.progress import CrawlProgress

AT = datetime(2025, 10, 11, 18, 30, 0, 123456, tzinfo=UTC)
HALF = CrawlProgress(Counts({"complete": 250}, 10, 250), mean_seconds=8.5, seconds_left=2125.4)
NONE_YET = CrawlProgress(Counts())


def test_a_checkpoint_has_its_given_shape() -> None:
    assert document("20251011_183000", AT, HALF, "2462") == {
        "checkpoint_id": "20251011_183000",
        "total_workflows": 500,
        "processed": 250,
        "successful": 240,
        "failed": 10,
        "remaining": 250,
        "avg_time": 8.5,
        "eta_seconds": 2125,
        "last_workflow_id": "2462",
        "timestamp": "2025-10-11T18:30:00",
    }


def test_it_has_all_its_keys_when_nothing_was_processed() -> None:
    nothing = document("20251011_183000", AT, NONE_YET, None)

    assert tuple(nothing) == KEYS
    assert is_whole(nothing)
    assert nothing["processed"] == nothing["remaining"] == nothing["eta_seconds"] == 0
    assert nothing["avg_time"] is nothing["last_workflow_id"] is None


def test_who_falls_into_the_same_second_gets_a_number() -> None:
    taken = {"20251011_183000", "20251011_183000_02"}

    assert new_id(AT, set()) == "20251011_183000"
    assert new_id(AT, taken) == "20251011_183000_03"
    assert sorted({*taken, new_id(AT, taken)})[-1] == new_id(AT, taken)


@given(
    total=st.integers(0, 10_000), processed=st.integers(0, 10_000), unsettled=st.integers(0, 10_000)
)
def test_its_numbers_always_add_up(total, processed, unsettled) -> None:
    total, unsettled = max(total, processed), min(unsettled, processed)

    counts = Counts({"complete": processed}, unsettled, total - processed)
    made = document("x", AT, CrawlProgress(counts), None)

    assert made["processed"] == made["successful"] + made["failed"]
    assert made["total_workflows"] == made["processed"] + made["remaining"]
    assert is_whole(made)


@pytest.mark.parametrize(
    "changes", [{"processed": 251}, {"processed": -1}, {"failed": "10"}, {"remaining": 1}, {"x": 1}]
)
def test_what_does_not_add_up_is_no_checkpoint(changes) -> None:
    assert not is_whole(document("x", AT, HALF, "2462") | changes)


@pytest.mark.parametrize("read", [None, [], "x", {}, {"checkpoint_id": "x"}])
def test_something_else_is_no_checkpoint(read) -> None:
    assert not is_whole(read)

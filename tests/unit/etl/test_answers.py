"""What servers of the contract answer, in whichever spelling."""

import pytest

from n8n_scraper.core.errors import BadContent
from n8n_scraper.etl.answers import read_page, read_run
from n8n_scraper.etl.mapping import Flags

CAMEL = {
    "_id": "42",
    "domain": "n8n.io",
    "startTime": "2026-01-01",
    "endTime": None,
    "createdAt": "2026-01-02",
    "items": [{"url": "u", "done": None, "failed": True, "failReason": "why"}, {"url": "v"}],
}
SNAKE = {
    "id": 42,
    "domain": "n8n.io",
    "start_time": "2026-01-01",
    "created_at": "2026-01-02",
    "items": [{"url": "u", "failed": True, "failedReason": "why"}, {"url": "v", "done": False}],
}


@pytest.mark.parametrize("document", [CAMEL, SNAKE, {"data": CAMEL}, {"run": SNAKE}])
def test_both_spellings_say_the_same(document: object) -> None:
    run = read_run(document)

    assert (run.id, run.start_time, run.created_at, run.end_time) == (
        *("42", "2026-01-01", "2026-01-02"),
        None,
    )
    assert run.items == {"u": Flags(failed=True, reason="why"), "v": Flags()}


def test_items_that_are_not_told_are_not_taken_for_none() -> None:
    assert read_run({"id": 1}).items is None
    assert read_run({"id": 1, "items": []}).items == {}


@pytest.mark.parametrize(
    ("document", "total"),
    [
        ([CAMEL], None),
        ({"runs": [CAMEL], "total": 7}, 7),
        ({"data": [CAMEL], "pagination": {"totalItems": 7}}, 7),
    ],
)
def test_each_shape_of_a_list_is_read(document: object, total: int | None) -> None:
    page = read_page(document)

    assert [run.id for run in page.runs] == ["42"]
    assert page.total == total


@pytest.mark.parametrize("document", [None, 7, "x", {}, {"id": None}, {"id": {}}, {"data": 3}, []])
def test_what_is_no_run_is_refused(document: object) -> None:
    with pytest.raises(BadContent):
        read_run(document)


@pytest.mark.parametrize("document", [None, 7, {}, {"data": 3}, [{}], {"runs": [3]}])
def test_what_is_no_list_is_refused(document: object) -> None:
    with pytest.raises(BadContent):
        read_page(document)


@pytest.mark.parametrize(
    ("metadata", "is_ours"),
    [
        ({"run_id": "ours", "started_at": "other"}, True),
        ({"run_id": "another", "started_at": "2026"}, False),
        ({"started_at": "2026"}, True),
        ({"started_at": "2025"}, False),
        ({}, False),
        (None, False),
    ],
)
def test_a_run_is_known_by_our_name_for_it_or_else_by_when_it_began(
    metadata: object, is_ours: bool
) -> None:
    assert read_run({"id": 1, "metadata": metadata}).is_of("ours", "2026") is is_ours


@pytest.mark.parametrize(
    ("document", "is_over"),
    [
        ({"endTime": "2026"}, True),
        ({"status": "finished"}, True),
        ({"status": "completed"}, True),
        ({"status": "processing"}, False),
    ],
)
def test_a_run_is_over_when_the_server_says_so(document: dict[str, str], is_over: bool) -> None:
    assert read_run({"id": 1, **document}).is_over is is_over

"""How many chunks a run is handed out in, and when there is one more."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.run.chunks import Chunk, RunState, most_at_once
from n8n_scraper.policies.run.counts import Counts

FIRST = Chunk("r", "workflows", spreads=True)
ANY = Chunk("r", "workflows")


def run(*, done: int = 0, left: int = 120, **given: object) -> RunState:
    counts = Counts({"complete": done}, left=left)
    state = RunState("running", None, is_planned=True, counts=counts, others=0)
    return replace(state, **given)  # type: ignore[arg-type]


def test_the_first_chunk_hands_out_as_many_others_as_there_are_items_for() -> None:
    assert len(FIRST.others(run(left=120), 50)) == 2
    assert len(FIRST.others(run(left=51), 50)) == 1
    assert FIRST.others(run(left=50), 50) == []
    assert FIRST.others(run(left=0), 50) == []


@given(left=st.integers(0, 5_000), size=st.integers(1, 500))
def test_those_together_have_room_for_all_items_and_none_is_one_too_many(
    left: int, size: int
) -> None:
    others = FIRST.others(run(left=left), size)

    room = [one.items(size) for one in (FIRST, *others)]
    assert sum(room) >= left
    assert not others or sum(room[:-1]) < left
    assert all(0 < items <= size for items in room)


def test_those_that_begin_together_do_not_end_together() -> None:
    others = FIRST.others(run(left=300), 50)

    lengths = [one.items(50) for one in others]
    assert lengths == [45, 40, 35, 50, 45, 40]
    assert not any(one.spreads for one in others)


def test_it_waits_until_their_number_is_known() -> None:
    assert FIRST.others(run(is_planned=False), 50) == []


def test_no_other_chunk_hands_out_any() -> None:
    assert ANY.others(run(), 50) == []


def test_no_more_are_at_work_at_once_than_were_asked_for() -> None:
    assert len(replace(FIRST, most_at_once=2).others(run(left=500), 50)) == 1
    assert len(replace(FIRST, most_at_once=9).others(run(left=120), 50)) == 2
    assert replace(FIRST, most_at_once=1).others(run(left=500), 50) == []


def test_where_each_needs_a_session_no_more_are_at_work_than_there_are() -> None:
    assert most_at_once(None, None) is None
    assert most_at_once(4, None) == 4
    assert most_at_once(None, 3) == 3
    assert (most_at_once(2, 3), most_at_once(9, 3)) == (2, 3)


def test_whoever_is_the_last_to_leave_work_behind_hands_out_the_next() -> None:
    assert ANY.next(run(done=50), done_before=0) == ANY
    assert ANY.next(run(done=50, others=1), done_before=0) is None


def test_whoever_leaves_when_messages_were_lost_makes_up_for_one() -> None:
    lacking = run(done=50, left=120, others=2)

    assert lacking.is_more_than_others_take(50)
    assert ANY.next(lacking, done_before=0, is_one_lost=True) == ANY


def test_none_was_lost_where_those_at_work_take_what_is_left_or_nobody_is() -> None:
    assert not run(left=120, others=3).is_more_than_others_take(50)
    assert not run(left=120, others=0).is_more_than_others_take(50)


def test_with_a_limit_each_chunk_hands_out_its_successor() -> None:
    one_of_two = replace(ANY, most_at_once=2)

    assert one_of_two.next(run(done=50, others=1), done_before=0) == one_of_two


def test_what_goes_on_with_a_run_that_is_not_planned_spreads() -> None:
    following = ANY.next(run(is_planned=False), done_before=0)

    assert following is not None
    assert following.spreads


@pytest.mark.parametrize(
    ("status", "exit_status"),
    [("finished", 0), ("finished", 3), ("failed", 7), ("stopped", 5), ("stopped", 1)],
)
def test_a_run_that_more_workers_would_not_help_gets_no_other_chunk(
    status: str, exit_status: int
) -> None:
    over = run(status=status, exit_status=exit_status)

    assert not over.is_wanted
    assert ANY.next(over, done_before=0) is None


def test_a_run_that_was_stopped_with_work_left_gets_one() -> None:
    assert ANY.next(run(done=1, status="stopped", exit_status=4), done_before=0) == ANY


def test_a_chunk_after_which_nothing_more_has_ended_is_repeated_only_so_often() -> None:
    sent, chunk = 0, ANY
    while (following := chunk.next(run(done=7), done_before=7)) is not None:
        sent, chunk = sent + 1, following

    assert sent == 2


def test_one_that_brings_something_begins_the_count_anew() -> None:
    following = replace(ANY, fruitless=2).next(run(done=8), done_before=7)

    assert following == ANY

"""Large answers are worked on a few at a time, and there is always one that goes on."""

from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.pace.work_in_hand import WorkInHand


def test_answers_are_let_through_as_long_as_there_is_room() -> None:
    work = WorkInHand(10)

    work.take("1", 4)
    work.take("2", 4)

    assert work.has_room("3", 2)
    assert not work.has_room("3", 3)


def test_the_oldest_template_is_let_through_whatever_it_brings() -> None:
    work = WorkInHand(10)
    work.take("1", 4)
    work.take("2", 6)

    assert work.has_room("1", 100)
    assert not work.has_room("2", 100)


def test_the_first_answer_of_all_may_be_of_any_size() -> None:
    assert WorkInHand(10).has_room("1", 100)


def test_what_has_ended_makes_room() -> None:
    work = WorkInHand(10)
    work.take("1", 10)

    work.done("1")
    work.take("2", 2)

    assert work.has_room("3", 8)


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 30)), max_size=60))
def test_whatever_comes_all_of_it_is_let_through_in_the_end(
    arriving: list[tuple[str, int]],
) -> None:
    # Given templates that end when all of their answers have been let through
    work, waiting = WorkInHand(20), list(arriving)

    # When those for which there is room go through, over and over
    while waiting:
        through = next(one for one in waiting if work.has_room(*one))  # there always is one
        waiting.remove(through)
        work.take(*through)
        if through[0] not in [key for key, _ in waiting]:
            work.done(through[0])

    # Then nothing is held any more
    assert work.has_room("z", 20)
    work.take("z", 0)
    assert work.has_room("a", 20)

"""What has become of an event, by its title and by the word of a program."""

import pytest

from n8n_scraper.reading.states import state_in_title, state_of
from n8n_scraper.reading.values import Status


@pytest.mark.parametrize(
    ("title", "state"),
    [
        ("Jazz Night (Cancelled)", Status.CANCELLED),
        ("CANCELLED - Typhoon with Radiation City", Status.CANCELLED),
        ("爵士之夜（取消）", Status.CANCELLED),
        ("[Postponed] Jazz Night", Status.POSTPONED),
        ("Jazz Night", None),
        ("The Cancelled Wedding", None),
        (None, None),
    ],
)
def test_a_title_says_it_in_brackets_or_in_front(title: str | None, state: Status | None) -> None:
    assert state_in_title(title) is state


@pytest.mark.parametrize(
    ("word", "state"),
    [
        ("http://schema.org/EventCancelled", Status.CANCELLED),
        ("https://schema.org/EventPostponed/", Status.POSTPONED),
        ("EventScheduled", Status.ACTIVE),
        ("on-schedule", Status.ACTIVE),
        ("CONFIRMED", Status.ACTIVE),
        ("TENTATIVE", None),
        (None, None),
    ],
)
def test_a_state_is_read_as_programs_write_it(word: str | None, state: Status | None) -> None:
    assert state_of(word) is state

"""What may be done on a page."""

from typing import Any

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.policies.tools.steps import Doing, Step, read_steps


def test_steps_are_read_in_their_order() -> None:
    given = [{"consent": True}, {"click": "#more"}, {"scroll": 5}, {"wait": ".item"}, {"wait": 0.5}]

    assert read_steps(given) == (
        Step(Doing.CONSENT),
        Step(Doing.CLICK, selector="#more"),
        Step(Doing.SCROLL, number=5),
        Step(Doing.WAIT, selector=".item"),
        Step(Doing.WAIT, number=0.5),
    )


@pytest.mark.parametrize(
    "step",
    [
        {"dance": 1},
        {"click": ""},
        {"scroll": 0},
        {"scroll": True},
        {"wait": -1},
        {"consent": False},
        {"click": "a", "wait": 1},
        "click",
    ],
)
def test_what_is_none_is_refused_with_what_to_write(step: Any) -> None:
    with pytest.raises(BadInput, match=r"write \{\"click\""):
        read_steps([step])

"""What is read of an answer before it is known whether another tool is asked for the same page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any


class Draft(dict[str, Any]):
    """What an answer says of an item: the ladder judges the answer by it, and it ends there."""

    is_an_item = True


class LinkDraft(Draft):
    """What stands for an item that is told on a page of its own.

    It speaks for the tool that has brought the link, and is no item that this one has brought.
    """

    is_an_item = False


class Afterwards:
    """What a spider does with an answer once it is the one that is kept.

    A callback that is called for several answers of a page must have done nothing by then.
    """

    def __init__(self, go_on: Callable[[], AsyncIterator[Any]]) -> None:
        self.go_on = go_on

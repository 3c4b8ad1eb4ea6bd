"""Cut a stream into pieces of a fixed size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Give the items in lists of at most `size` (itertools has it from Python 3.12 on)."""
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch

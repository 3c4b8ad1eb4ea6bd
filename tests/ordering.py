"""The order of the tests where several processes share them: none waits while all others wait.

Each process is given as many tests as the others, one after another as they were collected, and
whoever is through takes what others have not begun, from their end. Of those that watch a pace
only one may run at a time, so one process is given all of them, and begins with them: no other one
waits for its turn. Long tests wait a lot, too, for another process, so files of them are spread
over the time with short ones between them, and the largest come when nobody watches a pace any
more; but the last ones are short: no long test is begun when all else is done.
"""

import os
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, islice
from pathlib import Path

import pytest

LONG = ("integration", "browser", "bench", "upgrade", "soak")
"""The folders of tests that start processes."""
LAST = 1 / 3
"""How many of the short tests are kept for the end."""
TIMED = 8
"""As long as so many other long tests takes one that watches a pace."""

File = list[pytest.Item]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Share the long tests out evenly, file by file."""
    if processes := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 0)):
        items[:] = shared_out(items, processes)


def shared_out(items: Sequence[pytest.Item], processes: int) -> list[pytest.Item]:
    """Give the tests in so many parts of one length, each with its share of the long ones."""
    timed = [one for one in items if _is_timed(one)]
    others = [one for one in items if not _is_timed(one)]
    long = [one for one in others if _is_long(one.path)]
    short = iter([one for one in others if not _is_long(one.path)])
    parts: list[list[pytest.Item]] = [timed, *([] for _ in range(processes - 1))]
    for file in sorted(_files(long), key=_length, reverse=True):
        min(parts, key=_length).extend(file)
    parts.sort(key=len, reverse=True)
    order: list[pytest.Item] = []
    for number, part in enumerate(parts):
        size = (len(items) - len(order)) // (processes - number)
        largest_last = part[: len(timed)] != timed
        files = list(_files(part))[:: -1 if largest_last else 1]
        order += _mixed(files, list(islice(short, max(0, size - len(part)))))
    return order


def _mixed(files: Sequence[File], short: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    """Give files of long tests with files of short ones between them, and the rest at the end."""
    between = _files(short)
    given, at_most = 0, (1 - LAST) * len(short)
    for number, file in enumerate(files, 1):
        yield from file
        while given < at_most * number / len(files) and (next_file := next(between, None)):
            yield from next_file
            given += len(next_file)
    yield from chain.from_iterable(between)


def _length(items: Sequence[pytest.Item]) -> int:
    return sum(TIMED if _is_timed(one) else 1 for one in items)


def _files(items: Sequence[pytest.Item]) -> Iterator[File]:
    return (list(file) for _, file in groupby(items, lambda one: _is_timed(one) or one.path))


def _is_timed(item: pytest.Item) -> bool:
    return bool(item.get_closest_marker("timed"))


def _is_long(path: Path) -> bool:
    return bool({*LONG} & {*path.parts})

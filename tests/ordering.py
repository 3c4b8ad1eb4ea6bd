"""The order of the tests where several processes share them: those that wait a lot begin.

Each process is given as many tests as the others, one after another as they were collected, and
whoever is through takes what others have not begun. So each begins with a share of the long ones,
and what is taken from it are short ones: no long test is begun when all else is done.
"""

import os
from collections.abc import Sequence
from itertools import groupby, islice
from pathlib import Path

import pytest

LONG = ("integration", "browser", "bench", "upgrade", "soak")
"""The folders of tests that start processes."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Share the long tests out evenly, file by file."""
    if processes := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 0)):
        items[:] = shared_out(items, processes)


def shared_out(items: Sequence[pytest.Item], processes: int) -> list[pytest.Item]:
    """Give the tests in so many parts of one length, in each of which the long ones go first."""
    long = [one for one in items if _is_long(one.path)]
    short = iter([one for one in items if not _is_long(one.path)])
    parts: list[list[pytest.Item]] = [[] for _ in range(processes)]
    files = [list(file) for _, file in groupby(long, lambda item: item.path)]
    for file in sorted(files, key=len, reverse=True):
        min(parts, key=len).extend(file)
    parts.sort(key=len, reverse=True)
    left = len(items)
    for number, part in enumerate(parts):
        size = left // (processes - number)
        part.extend(islice(short, max(0, size - len(part))))
        left -= len(part)
    return [one for part in parts for one in part]


def _is_long(path: Path) -> bool:
    return bool({*LONG} & {*path.parts})

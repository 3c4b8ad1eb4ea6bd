"""The order in which several processes share the tests."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.ordering import shared_out


def item(file: str) -> Any:
    return SimpleNamespace(path=Path("/tests") / file)


FILES = st.sampled_from(["integration/a.py", "integration/b.py", "browser/c.py", "unit/d.py"])


@given(st.lists(FILES.map(item), max_size=60), st.integers(1, 6))
def test_every_test_is_run_once(items: list[Any], processes: int) -> None:
    items.sort(key=lambda one: one.path)

    assert sorted(map(id, shared_out(items, processes))) == sorted(map(id, items))


def test_each_process_begins_with_its_share_of_the_long_ones() -> None:
    long = [item(f"integration/{file}.py") for file in "abcd"]
    short = [item("unit/e.py") for _ in range(16)]

    order = shared_out([*short, *long], 4)

    assert all(one in long for one in order[::5])

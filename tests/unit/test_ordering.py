"""The order in which several processes share the tests."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.ordering import shared_out


def item(file: str, *marks: str) -> Any:
    return SimpleNamespace(path=Path("/tests") / file, get_closest_marker=marks.__contains__)


FILES = st.sampled_from(["integration/a.py", "integration/b.py", "browser/c.py", "unit/d.py"])


@given(st.lists(FILES.map(item), max_size=60), st.integers(1, 6))
def test_every_test_is_run_once(items: list[Any], processes: int) -> None:
    items.sort(key=lambda one: one.path)

    assert sorted(map(id, shared_out(items, processes))) == sorted(map(id, items))


def test_each_process_begins_with_a_long_one_and_ends_with_short_ones() -> None:
    long = [item(f"integration/{file}.py") for file in "abcdefgh"]
    short = [item(f"unit/{number}.py") for number in range(24)]

    order = shared_out([*short, *long], 4)

    parts = [order[start : start + 8] for start in range(0, 32, 8)]
    assert [[one in long for one in part] for part in parts] == [
        [True, False, False, True, False, False, False, False]
    ] * 4


def test_one_process_begins_with_all_that_watch_a_pace() -> None:
    timed = [item(f"integration/{file}.py", "timed") for file in "aab"]
    others = [item(f"integration/{file}.py") for file in "abcdefgh"]
    short = [item(f"unit/{number}.py") for number in range(19)]

    order = shared_out([*short, *others, *timed], 2)

    assert timed in (order[:3], order[15:18])


def test_one_that_watches_a_pace_is_as_long_as_several_others() -> None:
    timed = item("integration/timed.py", "timed")
    others = [item(f"integration/{file}.py") for file in "bcdefghijk"]
    short = [item(f"unit/{number}.py") for number in range(9)]

    order = shared_out([*short, *others, timed], 2)

    with_timed, without = sorted((order[:10], order[10:]), key=lambda part: timed not in part)
    assert sum(one in others for one in with_timed) == 1
    assert sum(one in others for one in without) == 9


def test_while_one_watches_a_pace_the_others_begin_with_small_files() -> None:
    timed = [item("integration/timed.py", "timed")] * 3
    large = [item("integration/large.py") for _ in range(9)]
    small = [item("integration/small.py") for _ in range(2)]
    short = [item(f"unit/{number}.py") for number in range(14)]

    order = shared_out([*short, *large, *small, *timed], 2)

    assert order.index(timed[0]) in (0, 14)
    assert order.index(small[0]) < order.index(large[0])

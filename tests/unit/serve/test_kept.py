"""A figure that takes its time is computed once for a while."""

import threading

from n8n_scraper.serve.kept import Kept


def test_a_value_is_made_anew_when_it_is_too_old() -> None:
    now = 100.0
    made = iter("abc")
    kept: Kept[str] = Kept(60, clock=lambda: now)

    first = kept.get("key", lambda: next(made))
    now = 159.0
    same = kept.get("key", lambda: next(made))
    now = 160.0
    newer = kept.get("key", lambda: next(made))

    assert [(one.value, one.at) for one in (first, same, newer)] == [
        ("a", 100.0),
        ("a", 100.0),
        ("b", 160.0),
    ]


def test_while_one_computes_it_the_others_are_given_the_old_one() -> None:
    now = 0.0
    kept: Kept[str] = Kept(60, clock=lambda: now)
    kept.get("key", lambda: "old")
    now = 100.0
    under_way, goes_on = threading.Event(), threading.Event()

    def slow() -> str:
        under_way.set()
        goes_on.wait(10)
        return "new"

    thread = threading.Thread(target=kept.get, args=("key", slow))
    thread.start()
    under_way.wait(10)
    meanwhile = kept.get("key", lambda: "never").value
    goes_on.set()
    thread.join()

    assert (meanwhile, kept.get("key", lambda: "never").value) == ("old", "new")


def test_who_asks_first_at_the_same_time_waits_for_the_same() -> None:
    kept: Kept[int] = Kept(60)
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    threads = [threading.Thread(target=kept.get, args=("key", make)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert made == [1]

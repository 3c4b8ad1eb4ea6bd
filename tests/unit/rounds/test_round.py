"""So many at once, each a process: tried with real ones that end when they are told to."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from n8n_scraper.rounds.round import Round
from tests.crawling import PROJECT, child, wait_until


class Sleeper:
    """A process that ends when a file is there, or when it is asked to."""

    def __init__(self, file: Path) -> None:
        waiting = f"until [ -e {file} ]; do sleep 0.01; done"
        self.process = subprocess.Popen(["sh", "-c", waiting], start_new_session=True)
        self._descriptor = os.pidfd_open(self.process.pid)

    def fileno(self) -> int:
        return self._descriptor

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)

    def close(self) -> int:
        os.close(self._descriptor)
        return self.process.wait()


class Told:
    """What happened, and a switch to end each process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events: list[str] = []
        self.most_at_once = 0
        self.under_way: dict[str, Sleeper] = {}

    def begin(self, name: str) -> Sleeper | None:
        if name.startswith("-"):
            return None
        self.events.append(f"{name} begins")
        self.under_way[name] = Sleeper(self.folder / name)
        self.most_at_once = max(self.most_at_once, len(self.under_way))
        return self.under_way[name]

    def end(self, name: str, process: Any) -> None:
        self.events.append(f"{name} ends")
        del self.under_way[name]
        process.close()

    def let_end(self, *names: str) -> None:
        for name in names:
            (self.folder / name).touch()


@pytest.fixture
def told(tmp_path: Path) -> Told:
    return Told(tmp_path)


def test_the_slowest_holds_nobody_back(told):
    # Given one that ends only when all others have
    told.let_end("b", "c", "d", "e")
    others = ["b ends", "c ends", "d ends", "e ends"]
    threading.Thread(
        target=lambda: (wait_until(lambda: set(others) <= {*told.events}), told.let_end("a"))
    ).start()

    # When five go, two at once
    Round(2, told.begin, told.end).go("abcde")

    # Then its place alone was taken all the time
    assert told.events[:2] == ["a begins", "b begins"]
    assert told.events[-1] == "a ends"
    assert told.most_at_once == 2


def test_they_begin_in_their_order(told):
    told.let_end(*"abcde")

    Round(1, told.begin, told.end).go("abcde")

    assert told.events == [f"{name} {what}" for name in "abcde" for what in ("begins", "ends")]


def test_what_does_not_begin_takes_no_place(told):
    told.let_end("b")

    Round(1, told.begin, told.end).go(["-a", "b", "-c"])

    assert told.events == ["b begins", "b ends"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_is_asked_to_end_asks_its_children_and_begins_no_other(told, number):
    going = Round(2, told.begin, told.end)
    timer = threading.Thread(
        target=lambda: (
            wait_until(lambda: len(told.under_way) == 2),
            os.kill(os.getpid(), number),
        )
    )
    timer.start()

    going.go("abc")

    timer.join()
    assert going.was_ended
    assert going.left_over == ("c",)
    assert sorted(told.events) == ["a begins", "a ends", "b begins", "b ends"]


def test_a_second_word_ends_them_at_once(told, monkeypatch):
    # Given a child that takes no notice of being asked
    monkeypatch.setattr(Sleeper, "stop", lambda self: None)
    going = Round(1, told.begin, told.end)

    def twice() -> None:
        wait_until(lambda: told.under_way)
        os.kill(os.getpid(), signal.SIGINT)
        wait_until(lambda: going.was_ended)
        assert told.under_way
        os.kill(os.getpid(), signal.SIGINT)

    # When it is asked twice
    timer = threading.Thread(target=twice)
    timer.start()
    going.go("a")

    # Then it is gone
    timer.join()
    assert told.events == ["a begins", "a ends"]


def test_afterwards_signals_mean_what_they_meant(told):
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)

    Round(1, told.begin, told.end).go([])

    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_what_breaks_leaves_no_process_behind(told):
    def begin(name: str) -> Sleeper | None:
        if name == "b":
            raise RuntimeError("it broke")
        return told.begin(name)

    with pytest.raises(RuntimeError, match="it broke"):
        Round(2, begin, told.end).go("ab")

    assert told.under_way["a"].process.returncode is not None


_PARENT = """
import sys, time
from n8n_scraper.workers.child import Child
from n8n_scraper.rounds.round import Round
def begin(name):
    child = Child(("shell", "-c", "import time; time.sleep(60)"), PROGRESS="off")
    print(child._process.pid, flush=True)
    return child
Round(2, begin, lambda *_: None).go("ab")
"""


def test_children_end_with_a_parent_that_is_killed():
    with child([sys.executable, "-c", _PARENT], cwd=PROJECT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pids = [int(parent.stdout.readline()) for _ in "ab"]
        parent.kill()
        parent.wait()

        wait_until(lambda: not any(is_alive(pid) for pid in pids), 5.0)


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"

"""Processes that are started and ended; real ones."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.stack.children import Children, Program
from n8n_scraper.stack.notes import MARK, Note, Notes
from n8n_scraper.stack.processes import Process
from tests.unit.stack.running import PATIENCE, sleeping, wait_until

SLEEP = Program(("/bin/sleep", "600"))


@pytest.fixture
def children(tmp_path: Path) -> Children:
    return Children(tmp_path)


def main_of(children: Children, service: str) -> Process:
    ours = children.find(service)
    assert ours is not None
    assert ours.main is not None
    return ours.main


def test_what_is_started_is_found_by_another_process_too(
    children: Children, tmp_path: Path
) -> None:
    children.start("one", SLEEP, tied=False)

    assert main_of(Children(tmp_path), "one") == main_of(children, "one")
    children.end("one", PATIENCE)


def test_what_is_ended_is_gone_with_its_note(children: Children, tmp_path: Path) -> None:
    children.start("one", SLEEP, tied=False)
    process = main_of(children, "one")

    left = children.end("one", PATIENCE)

    assert left is None
    assert Process.of(process.pid) is None
    assert Notes(tmp_path).read("one") is None


def test_what_was_never_started_has_nothing_to_end(children: Children) -> None:
    assert children.find("one") is None
    assert children.end("one", PATIENCE) is None


def test_it_is_asked_to_end_before_it_is_made_to(children: Children, tmp_path: Path) -> None:
    script = f"trap 'echo asked; exit' TERM; touch {tmp_path}/up; while true; do sleep 0.01; done"
    children.start("one", Program(("/bin/sh", "-c", script)), tied=False)
    wait_until((tmp_path / "up").exists)

    children.end("one", PATIENCE)

    assert children.log_of("one").read_text() == "asked\n"


def test_what_does_not_end_when_asked_is_killed(children: Children, tmp_path: Path) -> None:
    script = f"trap '' TERM; touch {tmp_path}/up; while true; do sleep 0.01; done"
    children.start("one", Program(("/bin/sh", "-c", script)), tied=False)
    wait_until((tmp_path / "up").exists)
    process = main_of(children, "one")

    assert children.end("one", 0.05) is None
    assert Process.of(process.pid) is None


def test_one_that_is_frozen_is_killed(children: Children) -> None:
    children.start("one", SLEEP, tied=False)
    process = main_of(children, "one")
    os.kill(process.pid, signal.SIGSTOP)

    assert children.end("one", 0.05) is None
    assert Process.of(process.pid) is None


def test_what_it_has_started_in_a_session_of_its_own_goes_with_it(
    children: Children, tmp_path: Path
) -> None:
    script = f"setsid /bin/sleep 600 & echo $! > {tmp_path}/below; exec /bin/sleep 600"
    children.start("one", Program(("/bin/sh", "-c", script)), tied=False)
    wait_until(lambda: (tmp_path / "below").exists() and (tmp_path / "below").read_text())
    below = int((tmp_path / "below").read_text())

    children.end("one", PATIENCE)

    assert Process.of(below) is None


def test_what_a_killed_one_has_left_behind_goes_too(children: Children, tmp_path: Path) -> None:
    script = f"/bin/sleep 600 & echo $! > {tmp_path}/below; exec /bin/sleep 600"
    children.start("one", Program(("/bin/sh", "-c", script)), tied=False)
    wait_until(lambda: (tmp_path / "below").exists() and (tmp_path / "below").read_text())
    below = int((tmp_path / "below").read_text())
    os.kill(main_of(children, "one").pid, signal.SIGKILL)
    wait_until(lambda: children.end_of("one"))

    assert Process.of(below) is not None
    children.end("one", PATIENCE)

    assert Process.of(below) is None


def test_a_process_of_others_with_the_noted_number_is_not_touched(
    children: Children, tmp_path: Path
) -> None:
    with sleeping() as foreign:
        process = Process.of(foreign.pid)
        assert process is not None
        stale = Process(process.pid, process.began - 1, process.parent)
        Notes(tmp_path).write(Note.new("one").started(stale))

        left = children.end("one", PATIENCE)

        assert left is None
        assert foreign.poll() is None
        assert Notes(tmp_path).read("one") is None


def test_what_may_be_ours_but_has_no_mark_is_left_alone_and_told(
    children: Children, tmp_path: Path
) -> None:
    with sleeping() as foreign:
        process = Process.of(foreign.pid)
        assert process is not None
        Notes(tmp_path).write(Note.new("one").started(process))

        left = children.end("one", PATIENCE)

        assert left == process
        assert foreign.poll() is None
        assert Notes(tmp_path).read("one") is not None


def test_one_that_was_started_and_never_noted_is_ended(children: Children, tmp_path: Path) -> None:
    note = Note.new("one")
    Notes(tmp_path).write(note)
    with sleeping(note.secret) as unnoted:
        assert children.end("one", PATIENCE) is None

        assert unnoted.wait(PATIENCE) == -signal.SIGTERM


def test_a_note_without_a_process_is_no_obstacle(children: Children, tmp_path: Path) -> None:
    Notes(tmp_path).write(Note.new("one"))

    assert children.end("one", PATIENCE) is None
    assert Notes(tmp_path).read("one") is None


def test_a_program_that_ends_at_once_is_told_with_its_last_words(children: Children) -> None:
    children.log_of("one").write_text("said before\n")
    script = "echo first; echo out of luck; exit 3"
    children.start("one", Program(("/bin/sh", "-c", script)), tied=False)

    wait_until(lambda: children.end_of("one"))

    assert children.end_of("one") == (
        f"it has ended with status 3: out of luck ({children.log_of('one')})"
    )
    children.end("one", PATIENCE)


def test_one_that_says_nothing_is_told_without_the_words_of_another(children: Children) -> None:
    children.log_of("one").write_text("said before\n")
    children.start("one", Program(("/bin/false",)), tied=False)

    wait_until(lambda: children.end_of("one"))

    assert "without a word" in str(children.end_of("one"))
    children.end("one", PATIENCE)


def test_a_program_is_told_what_it_is_to_be_told_and_carries_its_mark(
    children: Children, tmp_path: Path
) -> None:
    program = Program(("/usr/bin/env",), {"REDIS_URL": "redis://here"})
    children.start("one", program, tied=False)
    wait_until(lambda: children.end_of("one"))

    said = children.log_of("one").read_text().splitlines()

    note = Notes(tmp_path).read("one")
    assert note is not None
    assert {"REDIS_URL=redis://here", f"{MARK}={note.secret}"} <= set(said)
    children.end("one", PATIENCE)


_A_HOLDER = """
import sys, time
from pathlib import Path
from n8n_scraper.core.errors import BadInput
from n8n_scraper.stack.children import Children, Program
children = Children(Path(sys.argv[1]))
children.start("one", Program(("/bin/sleep", "600")), tied=sys.argv[2] == "tied")
print("started", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("how", ["tied", "untied"])
def test_what_is_tied_ends_with_the_process_that_has_started_it(how: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", _A_HOLDER, str(tmp_path), how]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as starter:
        assert starter.stdout is not None
        assert starter.stdout.readline() == b"started\n"
        process = main_of(Children(tmp_path), "one")
        starter.kill()

    if how == "tied":
        wait_until(lambda: Process.of(process.pid) is None)
    else:
        assert Process.of(process.pid) == process
    Children(tmp_path).end("one", PATIENCE)


def test_a_folder_that_cannot_be_written_costs_one_line(tmp_path: Path) -> None:
    (tmp_path / "stack").touch()

    with pytest.raises(BadInput, match=r"^STACK_DIR .*/stack cannot be used: Not a directory\.$"):
        Children(tmp_path / "stack").start("one", SLEEP, tied=False)

"""Processes, looked at and held; real ones."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from n8n_scraper.stack.notes import MARK
from n8n_scraper.stack.processes import Process, all_processes, held, this_boot
from tests.unit.stack.running import PATIENCE, sleeping


def process_of(child: subprocess.Popen[bytes]) -> Process:
    process = Process.of(child.pid)
    assert process is not None
    return process


def test_a_process_is_named_by_its_number_and_its_beginning() -> None:
    with sleeping() as child:
        process = process_of(child)

        assert process == Process.of(child.pid)
        assert (process.parent, process.command) == (os.getpid(), "/bin/sleep 600")


def test_one_that_has_ended_is_none_any_more_even_before_its_parent_has_looked() -> None:
    with sleeping() as child:
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)

        assert Path(f"/proc/{child.pid}/stat").exists()
        assert Process.of(child.pid) is None


def test_a_number_that_is_not_in_use_is_no_process() -> None:
    assert Process.of(2**22 + 1) is None


def test_a_name_with_brackets_and_blanks_in_it_misleads_nobody(tmp_path: Path) -> None:
    program = tmp_path / "odd) Z 1 (name"
    program.symlink_to("/bin/sleep")
    with subprocess.Popen([program, "600"]) as child:
        process = process_of(child)
        child.kill()

    assert process.parent == os.getpid()


def test_a_mark_is_found_whole_or_not_at_all() -> None:
    with sleeping("abcdef") as child:
        process = process_of(child)

        assert process.carries(f"{MARK}=abcdef".encode())
        assert not process.carries(f"{MARK}=abc".encode())
        assert process in set(all_processes())


def test_one_that_has_ended_carries_nothing() -> None:
    with sleeping("abcdef") as child:
        process = process_of(child)

    assert process.carries(f"{MARK}=abcdef".encode()) is False


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_what_another_user_runs_cannot_be_looked_at() -> None:
    with sleeping("abcdef") as child:
        process = process_of(child)
        os.seteuid(65534)
        try:
            assert process.carries(b"x") is None
        finally:
            os.seteuid(0)


def test_a_held_process_is_signalled_and_its_end_is_seen() -> None:
    with sleeping() as child, held(process_of(child)) as one:
        assert one is not None
        assert not one.has_ended(0)

        one.signal(signal.SIGTERM)

        assert one.has_ended(PATIENCE)
        one.signal(signal.SIGTERM)  # which it takes no notice of


def test_another_process_with_the_same_number_is_not_held() -> None:
    with sleeping() as child:
        before = Process(child.pid, process_of(child).began - 1, os.getpid())

        with held(before) as one:
            assert one is None


def test_one_that_has_ended_is_not_held() -> None:
    with sleeping() as child:
        process = process_of(child)

    with held(process) as one:
        assert one is None


def test_a_start_of_the_machine_has_one_name() -> None:
    assert this_boot() == this_boot() != ""

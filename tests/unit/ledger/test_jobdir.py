"""A directory tied to a run."""

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.ledger.jobdir import InUse, JobDirectory


def test_a_directory_remembers_its_run(tmp_path: Path) -> None:
    JobDirectory(str(tmp_path / "state")).tie("20261118T100000-ab12", "sqlite:///a.db")

    assert JobDirectory(str(tmp_path / "state")).run_id() == "20261118T100000-ab12"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"run_id": 3}', "\x00\x00"])
def test_a_torn_note_is_no_run_and_stops_nobody(content: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(content)

    assert JobDirectory(str(tmp_path)).run_id() is None


def test_a_second_process_is_refused_in_one_line_that_names_the_first(tmp_path: Path) -> None:
    first = JobDirectory(str(tmp_path))
    first.lock()
    code = (
        "from n8n_scraper.ledger.jobdir import JobDirectory\n"
        f"try: JobDirectory({str(tmp_path)!r}).lock()\n"
        "except Exception as refused: print(refused)\n"
    )

    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout

    assert "is in use by process" in said
    assert len(said.splitlines()) == 1
    first.release()
    again = JobDirectory(str(tmp_path))
    again.lock()
    again.release()


def test_a_directory_that_is_taken_over_while_somebody_comes_is_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Given somebody who has opened the lock of a process that is held up
    held_up, quicker, late = (JobDirectory(str(tmp_path)) for _ in range(3))
    held_up.lock()
    lock = fcntl.flock

    def after_the_quicker_one(*arguments: object) -> None:
        monkeypatch.setattr(fcntl, "flock", lock)
        quicker.take_over()
        held_up.release()
        lock(*arguments)

    monkeypatch.setattr(fcntl, "flock", after_the_quicker_one)

    # Then a lock that is no longer in its place is worth nothing
    with pytest.raises(InUse, match="is in use by process"):
        late.lock()
    quicker.release()


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(BadInput, match="cannot be used"):
        JobDirectory(str(tmp_path / "file" / "state")).lock()

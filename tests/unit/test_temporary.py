"""Where what the tests write is put."""

import tempfile
from pathlib import Path

import pytest

from tests import temporary


def test_a_folder_that_is_not_there_has_no_room(tmp_path: Path) -> None:
    assert not temporary.has_room(str(tmp_path / "none"))


def test_a_folder_with_less_free_than_the_suite_writes_has_no_room(tmp_path: Path) -> None:
    assert temporary.has_room(str(tmp_path), enough_bytes=1)
    assert not temporary.has_room(str(tmp_path), enough_bytes=1 << 60)


def test_a_run_has_its_folder_where_somebody_wants_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    named = {"TMPDIR": str(tmp_path)}

    folder = temporary.use(named)

    assert folder is not None
    assert (folder.parent, named["TMPDIR"]) == (tmp_path, str(folder))
    assert named["PYTEST_DEBUG_TEMPROOT"] == str(tmp_path)


def test_a_process_of_a_run_has_the_folder_of_its_run() -> None:
    inherited = {"TMPDIR": "/somewhere/n8n-tests-1", "PYTEST_XDIST_WORKER": "gw0"}

    assert temporary.use(inherited) is None
    assert inherited["TMPDIR"] == "/somewhere/n8n-tests-1"

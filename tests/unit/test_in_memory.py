"""Where what the tests write is put."""

from pathlib import Path

from tests import in_memory


def test_a_folder_that_is_not_there_has_no_room(tmp_path: Path) -> None:
    assert not in_memory.has_room(str(tmp_path / "none"))


def test_a_folder_with_less_free_than_the_suite_writes_has_no_room(tmp_path: Path) -> None:
    assert in_memory.has_room(str(tmp_path), enough_bytes=1)
    assert not in_memory.has_room(str(tmp_path), enough_bytes=1 << 60)


def test_who_has_named_a_folder_is_obeyed() -> None:
    named = {"TMPDIR": "/somewhere/else"}

    in_memory.use(named)

    assert named == {"TMPDIR": "/somewhere/else"}

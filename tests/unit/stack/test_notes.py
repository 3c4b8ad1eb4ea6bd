"""Which processes are ours: by number, beginning and mark together."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.stack.notes import Note, Notes, find
from n8n_scraper.stack.processes import Process
from tests.unit.stack.running import sleeping


def test_a_note_is_read_as_it_was_written(tmp_path: Path) -> None:
    notes, note = Notes(tmp_path), Note.new("redis")

    notes.write(note)
    notes.write(noted := note.started(Process(7, 8, 1)))

    assert notes.read("redis") == noted
    assert notes.read("worker") is None


def test_a_removed_note_is_forgotten_and_can_be_removed_again(tmp_path: Path) -> None:
    notes = Notes(tmp_path)
    notes.write(Note.new("redis"))

    notes.remove("redis")
    notes.remove("redis")

    assert notes.read("redis") is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"service": "redis"}', '"redis"'])
def test_a_damaged_note_is_told_with_what_to_do(text: str, tmp_path: Path) -> None:
    (tmp_path / "redis.json").write_text(text)

    with pytest.raises(BadInput, match=r"redis\.json cannot be read.*then remove the file\.$"):
        Notes(tmp_path).read("redis")


def test_two_notes_never_share_a_secret() -> None:
    assert Note.new("redis").secret != Note.new("redis").secret


def test_what_was_noted_is_found() -> None:
    note = Note.new("redis")
    with sleeping(note.secret) as child:
        process = Process.of(child.pid)
        assert process is not None

        ours = find(note.started(process))

    assert (ours.main, ours.others, ours.unclear) == (process, (), None)


def test_where_we_died_before_it_was_noted_the_mark_finds_it() -> None:
    note = Note.new("redis")
    with sleeping(note.secret) as child:
        ours = find(note)

        assert ours.main == Process.of(child.pid)


def test_of_those_with_the_mark_the_one_whose_parent_has_none_was_started_by_us() -> None:
    note = Note.new("worker")
    with sleeping(note.secret) as main, sleeping(note.secret) as other:
        first, second = Process.of(main.pid), Process.of(other.pid)
        assert first is not None
        assert second is not None
        below = replace(second, parent=first.pid)

        ours = find(note, [below, first])

    assert (ours.main, ours.others) == (first, (below,))


def test_what_ours_has_left_behind_is_found_too() -> None:
    note = Note.new("worker").started(Process(2**22 + 1, 1, 1))
    with sleeping(note.secret) as child:
        ours = find(note)

        assert (ours.main, ours.others) == (None, (Process.of(child.pid),))


def test_a_number_that_another_process_has_by_now_is_not_ours() -> None:
    with sleeping() as child:
        process = Process.of(child.pid)
        assert process is not None

        ours = find(Note.new("redis").started(replace(process, began=process.began - 1)))

    assert (ours.all, ours.unclear) == ((), None)


def test_a_number_and_a_beginning_from_before_the_machine_was_started_anew_are_not_ours() -> None:
    with sleeping() as child:
        process = Process.of(child.pid)
        assert process is not None

        ours = find(replace(Note.new("redis").started(process), boot="another"))

    assert (ours.all, ours.unclear) == ((), None)


def test_the_very_process_without_its_mark_is_unclear() -> None:
    with sleeping() as child:
        process = Process.of(child.pid)
        assert process is not None

        ours = find(Note.new("redis").started(process))

    assert (ours.all, ours.unclear) == ((), process)


def test_our_own_process_is_not_found_for_a_note_of_nobody() -> None:
    assert os.getpid() not in {one.pid for one in find(Note.new("redis")).all}

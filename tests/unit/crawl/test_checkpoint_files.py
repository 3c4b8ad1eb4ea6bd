"""The folder of checkpoints."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from n8n_scraper.crawl.checkpoint_files import KEPT, read_newest, write
from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.policies.run.progress import CrawlProgress

AT = datetime(2025, 10, 11, 18, 30, tzinfo=UTC)


def written(folder: Path, done: int, at: datetime) -> Path:
    counts = Counts({"complete": done}, 0, 100 - done)
    return write(folder, CrawlProgress(counts, mean_seconds=1.5, seconds_left=10.0), str(done), at)


def test_the_newest_checkpoint_counts(tmp_path: Path) -> None:
    for minute in (2, 1, 3):
        written(tmp_path / "c", minute, AT + timedelta(minutes=minute))

    newest = read_newest(tmp_path / "c")

    assert newest is not None
    assert newest["processed"] == 3
    assert newest["checkpoint_id"] == "20251011_183300"


def test_two_of_one_second_are_two_and_the_second_is_newer(tmp_path: Path) -> None:
    first, second = written(tmp_path, 1, AT), written(tmp_path, 2, AT)

    assert first != second
    newest = read_newest(tmp_path)
    assert newest is not None
    assert newest["processed"] == 2


def test_only_the_newest_five_are_kept(tmp_path: Path) -> None:
    for minute in range(8):
        written(tmp_path, minute, AT + timedelta(minutes=minute))

    names = sorted(path.name for path in tmp_path.iterdir())

    assert len(names) == KEPT
    assert names[0] == "checkpoint_20251011_183300.json"


@pytest.mark.parametrize("torn", [b"", b'{"checkpoint_id": "2025', b"\xff\xfe", b"[]", b"{}"])
def test_a_torn_one_is_passed_over_with_a_warning(
    torn: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # Given a whole checkpoint and a newer one that is not whole
    written(tmp_path, 7, AT)
    (tmp_path / "checkpoint_20251011_190000.json").write_bytes(torn)

    newest = read_newest(tmp_path)

    assert newest is not None
    assert newest["processed"] == 7
    assert "checkpoint_20251011_190000.json is no whole checkpoint" in caplog.text


def test_without_any_there_is_none(tmp_path: Path) -> None:
    assert read_newest(tmp_path / "nowhere") is None


def test_what_a_killed_process_left_half_written_is_swept_away(tmp_path: Path) -> None:
    # Given the half of a file that was abandoned long ago, and one that is being written
    old, new = tmp_path / "20251011_170000.1.new", tmp_path / "20251011_170000.2.new"
    for path in (old, new):
        path.write_text("{")
    os.utime(old, (0, 0))

    written(tmp_path, 1, AT)

    assert not old.exists()
    assert new.exists()


def test_what_is_written_is_plain_json(tmp_path: Path) -> None:
    path = written(tmp_path, 4, AT)

    assert path.name == "checkpoint_20251011_183000.json"
    assert json.loads(path.read_text())["last_workflow_id"] == "4"

"""A browser's folder goes with the browser, or with the next one."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from n8n_scraper.crawl.tools.profile import Profile, sweep

HOLDING = (
    "import time; from n8n_scraper.crawl.tools.profile import Profile;"
    "held = Profile(); print(held.path, flush=True); time.sleep(60)"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_it_is_removed_with_all_that_is_in_it(folder: Path) -> None:
    profile = Profile()
    (profile.path / "Cookies").write_text("none")

    profile.remove()

    assert list(folder.iterdir()) == []


def test_one_that_is_held_stays_and_one_of_a_killed_process_goes(folder: Path) -> None:
    own = Profile()
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING], stdout=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        assert process.stdout is not None
        other = Path(process.stdout.readline().strip())
        sweep()
        assert {own.path, other} == set(folder.iterdir())

        process.send_signal(signal.SIGKILL)
        process.wait()
        sweep()

    assert list(folder.iterdir()) == [own.path]
    own.remove()

"""A command that is forked for a test is what one that was started would be."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests import forking, left_over
from tests.crawling import PROJECT, child, scrapy

SPIDER = """
import json, os, resource, sys
import scrapy

class Telling(scrapy.Spider):
    name = "telling"
    start_urls = []
    def __init__(self, *arguments, **options):
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
        told = [os.getcwd(), os.getpid(), os.getsid(0), limit, os.environ["TOLD"]]
        told.append(sys.orig_argv[1:])
        print(json.dumps(told), flush=True)
        if "wait" in os.environ:
            sys.stdin.read()
        super().__init__(*arguments, **options)
"""

# More than what measures the tests writes itself into one file at the end of a process.
LARGEST_FILE_BYTES = 5_000_000


@pytest.fixture
def telling(tmp_path: Path) -> Path:
    (tmp_path / "telling.py").write_text(SPIDER)
    return tmp_path


@pytest.mark.parametrize("forked", [True, False])
def test_it_has_its_own_place_and_limits(
    telling: Path, forked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forking, "wanted", forked)

    ran = scrapy(
        *("runspider", "telling.py", "-s", "LOG_ENABLED=0"),
        folder=telling,
        environment={"TOLD": "this"},
        largest_file_bytes=LARGEST_FILE_BYTES,
    )

    assert (ran.status, ran.err) == (0, "")
    folder, pid, session, limit, told, original = json.loads(ran.out)
    assert Path(folder) == telling
    assert pid == session != os.getsid(0)
    assert (limit, told) == (LARGEST_FILE_BYTES, "this")
    assert original == ["-m", "scrapy", "runspider", "telling.py", "-s", "LOG_ENABLED=0"]


@pytest.mark.parametrize("forked", [True, False])
def test_a_signal_ends_it_and_its_status_tells_so(
    telling: Path, forked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forking, "wanted", forked)
    environment = {**os.environ, "TOLD": "", "wait": "1"}
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    command = [*forking.SCRAPY, "runspider", "telling.py"]

    with child(command, cwd=telling, env=environment, **streams) as running:
        running.stdout.readline()
        alive = running.poll() is None
        running.send_signal(signal.SIGKILL)

        assert alive
        assert running.wait() == -signal.SIGKILL


def test_another_python_is_started_not_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_fork(*_: object) -> int:
        raise AssertionError("it was to be started")

    monkeypatch.setattr(forking, "_fork", no_fork)

    ran = scrapy("version", environment={"PYTHONHASHSEED": "7"}, folder=PROJECT)

    assert ran.status == 0


def test_what_is_left_running_at_the_end_would_be_seen() -> None:
    # Given a command that has ended, and another program that has left a third one behind
    scrapy("version")
    leaving = ["sh", "-c", "sleep 60 >/dev/null & echo $!"]
    orphan = subprocess.run(leaving, stdout=subprocess.PIPE, text=True).stdout

    # When the suite looks what of its own is still there
    found = left_over.children()
    os.kill(int(orphan), signal.SIGKILL)

    # Then it sees that one, and not the first
    assert "sleep 60 " in found
    assert not [one for one in found if "version" in one]

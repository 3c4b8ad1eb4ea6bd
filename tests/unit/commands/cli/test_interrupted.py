"""Ctrl-C before a command has begun its work."""

import signal
import subprocess
import sys

INTERRUPTED = "import n8n_scraper.commands.cli; raise {}"


def ended(error: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", INTERRUPTED.format(error)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_it_ends_by_the_signal_without_a_word() -> None:
    ran = ended("KeyboardInterrupt")

    assert (ran.returncode, ran.stderr) == (-signal.SIGINT, "")  # which a shell calls 130


def test_any_other_error_is_shown() -> None:
    assert "Traceback" in ended("ValueError").stderr

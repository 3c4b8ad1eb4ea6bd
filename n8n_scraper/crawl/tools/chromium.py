"""Start a Chromium of our own that cannot outlive us, and end it with all that it has started."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from n8n_scraper.core.errors import ToolFailed
from n8n_scraper.core.tied import end_with
from n8n_scraper.crawl.tools.profile import Profile

_LOOK_EVERY = 0.05
_ARGUMENTS = (
    "--headless",
    # A port of loopback that the system chooses.
    "--remote-debugging-port=0",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--mute-audio",
    # A page of its own to begin with, which nobody asks for, takes a third of its start.
    "--no-startup-window",
    # Each window has two pages that would help a person to type an address: half of what remains.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    "--password-store=basic",
)


class Chromium:
    """A browser in a process group of its own, which the kernel ends when this process is gone."""

    def __init__(self, program: str, arguments: Sequence[str] = ()) -> None:
        self._profile = Profile()
        # As root there is no other way; for everybody else pages stay in their sandbox.
        sandbox = () if os.geteuid() else ("--no-sandbox",)
        profile = f"--user-data-dir={self._profile.path}"
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the browser of the settings
                [program, *_ARGUMENTS, *sandbox, *arguments, profile],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=end_with(os.getpid(), signal.SIGKILL),
            )
        except OSError as error:
            self._profile.remove()
            raise ToolFailed(f"{program} does not start: {error.strerror}") from None

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    async def address(self) -> str:
        """Wait until it can be spoken to, and give where."""
        told = self._profile.path / "DevToolsActivePort"
        while self._process.poll() is None:
            if place := _read(told):
                return place
            await asyncio.sleep(_LOOK_EVERY)
        raise ToolFailed(f"the browser ended at its start, with status {self._process.returncode}")

    def close(self) -> None:
        """End it at once: nothing in it is to be kept."""
        if self._process.poll() is None:  # its number is its own until it is waited for
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._profile.remove()


def _read(told: Path) -> str | None:
    """Read where it listens: a port and a path that nobody guesses, once both are written."""
    try:
        port, path = told.read_text().split()
    except (FileNotFoundError, ValueError):
        return None
    return f"ws://127.0.0.1:{port}{path}"

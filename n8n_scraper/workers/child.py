"""A command of this project as a child: it heeds whoever has started it, and ends with it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import BinaryIO

from n8n_scraper.core.project_folder import in_project
from n8n_scraper.core.tied import end_with

_HEEDS = (signal.SIGINT, signal.SIGTERM)
"""What a process takes no notice of, or takes in its own way, and its child is to hear."""


class Child:
    """A command in a process group of its own, which the kernel ends when its starter is gone."""

    def __init__(
        self, words: Sequence[str], *, output: BinaryIO | None = None, **settings: str
    ) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - a command of ours
            [sys.executable, "-m", "scrapy", *words],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, **settings},
            cwd=in_project("."),
            start_new_session=True,
            preexec_fn=end_with(os.getpid(), signal.SIGKILL, heeds=_HEEDS),
        )
        self._descriptor = os.pidfd_open(self._process.pid)

    def fileno(self) -> int:
        """Give what can be read of as soon as it has ended."""
        return self._descriptor

    def has_ended(self, seconds: float) -> bool:
        """Wait for its end, for no longer than this."""
        ended = select.poll()
        ended.register(self._descriptor, select.POLLIN)
        return bool(ended.poll(seconds * 1000))

    def stop(self) -> None:
        """Ask it to end: what it holds is given back."""
        self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End it at once, with whatever it has started."""
        with suppress(ProcessLookupError):  # its number is its own until it is waited for
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> int:
        """Give its exit status; whatever of it and of what it has started still lives is killed."""
        self.kill()
        status = self._process.wait()
        os.close(self._descriptor)
        return status

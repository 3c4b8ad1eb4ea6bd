"""`scrapy serve` as a process of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.crawling import PROJECT, child

SERVE = [sys.executable, "-m", "scrapy", "serve", "--port", "0"]


@contextmanager
def serving(database_url: str, **environment: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Serve a database for as long as the block lasts; give the address and the process."""
    told = {**os.environ, "DATABASE_URL": database_url, **environment}
    with child(SERVE, cwd=PROJECT, env=told, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert " answers at http://" in line, line
        yield line.split(" answers at ")[1].split()[0].rstrip("/"), process
        process.send_signal(signal.SIGTERM)
        process.wait(10)

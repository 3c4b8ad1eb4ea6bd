"""Run the project's commands as a person would: in a process of their own."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from n8n_scraper.ledger.database import Database
from n8n_scraper.records import items
from n8n_scraper.sources import all_sources, source_of
from tests.forking import Process

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from n8n_scraper.sources.n8n.replica.running import RunningStandIn
    from tests.copying import Site

_TELLING_ITS_MEMORY = """
import atexit, re, scrapy.cmdline
def tell():
    print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
atexit.register(tell)
scrapy.cmdline.execute()
"""
PROJECT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    status: int
    out: str
    err: str


def scrapy(
    *arguments: str,
    environment: dict[str, str] | None = None,
    largest_file_bytes: int = resource.RLIM_INFINITY,
    tell_memory: bool = False,
    folder: Path = PROJECT,
    seconds: float = 110,
    under: Sequence[str] = (),
) -> Ran:
    """Run a scrapy command to its end; on request it tells its peak memory in kB at the end.

    `under` is a program that starts it, with its arguments.
    """
    program = ["-c", _TELLING_ITS_MEMORY] if tell_memory else ["-m", "scrapy"]
    with child(
        [*under, sys.executable, *program, *arguments],
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        largest_file_bytes=largest_file_bytes,
    ) as running:
        out, err = running.communicate(timeout=seconds)
        return Ran(running.returncode, out, err)


def site(stand_in: "RunningStandIn | Site") -> dict[str, str]:
    """Point the project at a stand-in, without waiting for the pace."""
    url = stand_in.url.rstrip("/")
    return {"N8N_SITE_URL": url, "N8N_API_URL": url, "RATE_LIMIT_RATE": "0", "LOG_LEVEL": "INFO"}


def crawl(
    stand_in: "RunningStandIn",
    database_url: str,
    *arguments: str,
    largest_file_bytes: int = resource.RLIM_INFINITY,
    **environment: str,
) -> Ran:
    """Crawl a stand-in into a database."""
    return scrapy(
        *("crawl", "workflows", *arguments),
        environment={**site(stand_in), "DATABASE_URL": database_url, **environment},
        largest_file_bytes=largest_file_bytes,
    )


@contextmanager
def child(command: Sequence[object], **options: object) -> Iterator[subprocess.Popen[str]]:
    """Start a process that, with all that it starts, does not outlive the block."""
    with Process([str(part) for part in command], **options) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            if process.returncode is None:
                process.communicate()


@contextmanager
def started(
    stand_in: "RunningStandIn", database_url: str, *arguments: str, **settings: str
) -> Iterator[subprocess.Popen[str]]:
    """Start a crawl, and see to it that it does not outlive the block."""
    environment = {**os.environ, **site(stand_in), "DATABASE_URL": database_url, **settings}
    command = [sys.executable, "-m", "scrapy", "crawl", "workflows", *arguments]
    with child(command, cwd=PROJECT, env=environment, stderr=subprocess.PIPE) as crawl:
        yield crawl


def wait_until(holds: Callable[[], object], seconds: float = 20.0, *, every: float = 0.02) -> None:
    """Wait for something that another process is about to do."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(every)


def stored(database_url: str, source: str | None = None) -> dict[str, Any]:
    """Give the items of a source in a database, of the first where none is named, by id."""
    meant = source_of(source) if source else all_sources()[0]
    database = Database(database_url, patience_seconds=0)
    try:
        found = database.do(lambda session: list(items.load_all(session, meant)))
    finally:
        database.close()
    return {str(meant.id_of(item)): item for item in found}


def rows(database_url: str, query: str) -> list[tuple[object, ...]]:
    """Ask a database in SQL, as a reader of the archive would."""
    from sqlalchemy import text

    with _engine(database_url).connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


@lru_cache(maxsize=8)
def _engine(database_url: str) -> "Engine":
    """Give what connects anew each time: made once, because a test that waits asks often."""
    from sqlalchemy import NullPool, create_engine

    from n8n_scraper.ledger.address import parse_url

    return create_engine(parse_url(database_url), poolclass=NullPool)

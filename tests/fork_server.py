"""Waits with everything imported that is not ours, and forks a `python -m scrapy …` when asked.

What the tests start are processes of their own, with their own pid, streams, signals and limits;
only the import of other people's packages, most of a start, is done once. Run as a script with
the number of a socket; see `tests/forking.py`, which asks.
"""

import gc
import importlib
import io
import json
import os
import resource
import runpy
import socket
import sys
import time
from typing import Any

OTHER_PEOPLES = [
    *("alembic.command", "markdown_it", "psycopg", "pyarrow", "pydantic", "rich.live"),
    *("rich.progress_bar", "rich.table", "sqlalchemy.dialects.postgresql.psycopg"),
    *("sqlalchemy.dialects.sqlite.pysqlite", "sqlalchemy.orm", "tldextract"),
    *("youtube_transcript_api", "detect_secrets.plugins.aws"),
    *("scrapy.cmdline", "scrapy.commands.crawl", "scrapy.contracts", "scrapy.core.engine"),
    *("scrapy.core.downloader.handlers.http11", "scrapy.downloadermiddlewares.httpcompression"),
    *("scrapy.extensions.feedexport", "scrapy.extensions.throttle", "scrapy.pipelines.files"),
    *("scrapy.spiderloader", "scrapy.spiders", "scrapy.robotstxt", "twisted.web.client"),
    *("scrapy.commands.bench", "scrapy.downloadermiddlewares.redirect", "scrapy.exporters"),
    *("scrapy.shell", "scrapy.spidermiddlewares.referer", "sqlite3", "pydantic.types"),
]


def main(connection: socket.socket) -> None:
    """Answer each request with the pid of a new process, until nobody can ask any more."""
    for module in OTHER_PEOPLES:
        importlib.import_module(module)
    ours = [name for name in sys.modules if name.partition(".")[0] == "n8n_scraper"]
    assert not ours, ours
    assert "twisted.internet.reactor" not in sys.modules
    gc.freeze()  # a collection in a child need not touch, and so copy, what all of them share
    while True:
        message, streams, _, _ = socket.recv_fds(connection, 1 << 20, 3)
        if not message:
            return
        if pid := _fork_for_our_parent():
            connection.send(str(pid).encode())
            for stream in streams:
                os.close(stream)
        else:
            connection.close()
            _become(json.loads(message), streams)
            return


def _fork_for_our_parent() -> int:
    """Fork a process whose parent is ours: the one between dies, and leaves it an orphan."""
    reading, writing = os.pipe()
    if between := os.fork():
        os.waitpid(between, 0)
        pid = int(os.read(reading, 20))
    elif os.fork():
        os._exit(0)
    else:
        os.setsid()
        os.write(writing, str(os.getpid()).encode())
        pid = 0
    os.close(reading)
    os.close(writing)
    return pid


def _become(wanted: dict[str, Any], streams: list[int]) -> None:
    """Be what `python -m scrapy …` would be in this place, with these streams and limits."""
    os.chdir(wanted["cwd"])
    os.environ.clear()
    os.environ.update(wanted["env"])
    time.tzset()
    resource.setrlimit(resource.RLIMIT_FSIZE, (wanted["largest_file_bytes"], -1))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout = open(0), _writing(1)  # noqa: SIM115 - until the process ends
    sys.stderr = _writing(2, errors="backslashreplace", line_buffering=True)
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
    sys.path[0] = wanted["cwd"]
    sys.argv = ["scrapy", *wanted["arguments"]]
    sys.orig_argv = [sys.executable, "-m", *sys.argv]
    importlib.invalidate_caches()
    if "COVERAGE_PROCESS_CONFIG" in os.environ:
        import coverage

        coverage.process_startup()
    runpy.run_module("scrapy", run_name="__main__", alter_sys=True)


def _writing(number: int, **options: Any) -> Any:
    options.setdefault("line_buffering", os.isatty(number))
    return io.TextIOWrapper(open(number, "wb"), **options)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))

"""Waits with everything imported that takes time, and forks a `python -m …` when asked.

What the tests start are processes of their own, with their own pid, streams, signals and limits;
only the imports, most of a start, are done once. Run as a script with the number of a socket and
the folder where our own package stands, if that is to be imported too; see `tests/forking.py`,
which asks.
"""

import atexit
import ctypes
import gc
import importlib
import importlib.util
import io
import json
import os
import resource
import runpy
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from pkgutil import iter_modules
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
    *("scrapy.downloadermiddlewares.redirect", "scrapy.exporters"),
    *("scrapy.shell", "scrapy.spidermiddlewares.referer", "sqlite3", "pydantic.types"),
    *("scrapy.core.downloader.handlers.ftp", "scrapy.core.downloader.handlers.s3"),
    *("scrapy.extensions.closespider", "scrapy.extensions.corestats", "scrapy.extensions.logcount"),
    *("scrapy.extensions.logstats", "scrapy.extensions.memdebug", "scrapy.extensions.memusage"),
    *(
        "scrapy.logformatter",
        "scrapy.statscollectors",
        "scrapy.utils.engine",
        "encodings.utf_8_sig",
    ),
]
WHOLE = ["scrapy.commands", "scrapy.downloadermiddlewares", "scrapy.spidermiddlewares"]
"""Packages of which every module is imported."""
OURS = [
    *("n8n_scraper.addon", "n8n_scraper.spiders.planned", "n8n_scraper.ledger.migrate"),
    *("n8n_scraper.commands.asking", "n8n_scraper.crawl.checks", "n8n_scraper.crawl.feed_checks"),
    *("n8n_scraper.crawl.finishing", "n8n_scraper.crawl.sessions.session_settings"),
    *(
        "n8n_scraper.crawl.spider_loader",
        "n8n_scraper.exports.exporting",
        "n8n_scraper.reports.runs",
    ),
    *("n8n_scraper.pipelines.order", "n8n_scraper.testing.replica.cli"),
]
OF_A_SOURCE = {
    "n8n_scraper.sources.n8n": ("kind", "spider", "exports", "tables", "replica.script"),
    "n8n_scraper.sources.hk_events": ("kind", "spider", "exports", "tables", "invented"),
    "n8n_scraper.sources.events": ("kind", "spider", "exports", "tables", "listing", "shapes"),
}
"""What is imported of ours as well where the source is there."""
OF_CELERY = [
    *("celery.apps.beat", "celery.apps.worker", "celery.bin.beat", "celery.bin.celery"),
    *("celery.bin.worker", "celery.backends.redis", "celery.concurrency.prefork"),
    *("celery.worker.components", "celery.worker.consumer", "kombu.transport.redis"),
]
OURS_OF_WORKERS = [
    *("n8n_scraper.crawl.site_runs", "n8n_scraper.sources_file.watched"),
    *("n8n_scraper.workers.chunk_task", "n8n_scraper.workers.dispatching"),
    *("n8n_scraper.workers.app", "n8n_scraper.workers.sites_due"),
]
"""But not the tasks: by a byte of theirs the processes of one worker tell each other its end."""
_HUGE, _COLLAPSE = 2 << 20, 25
"""The size of a large page, and what Linux calls MADV_COLLAPSE; Python has no name for it."""
TOLD_BY_THE_ENVIRONMENT = {"n8n_scraper.settings", "twisted.internet.reactor"}
"""What a process must import itself, because it is different for each."""


def main(connection: socket.socket, project: str) -> None:
    """Answer each request with the pid of a new process, until nobody can ask any more."""
    _import_other_peoples()
    if project:
        sys.path[0] = project
        _import_ours()
    assert project or "n8n_scraper" not in sys.modules
    assert TOLD_BY_THE_ENVIRONMENT.isdisjoint(sys.modules)
    gc.freeze()  # a collection in a child need not touch, and so copy, what all of them share
    _collapse()
    gc.set_threshold(10_000, 10, 50)
    while True:
        message, streams, _, _ = socket.recv_fds(connection, 1 << 20, 3)
        if not message:
            return
        wanted = json.loads(message)
        if wanted["module"] == "celery" or wanted["arguments"][:1] == ["dispatch"]:
            _import_what_is_about_workers(with_ours=bool(project))
        if pid := _fork_for_our_parent():
            connection.send(str(pid).encode())
            for stream in streams:
                os.close(stream)
        else:
            connection.close()
            _become(wanted, streams)
            return


def _collapse() -> None:
    """Keep in pages of two megabytes what each fork would else hand on in pages of four kilobytes.

    That is a quarter of what a process costs that does nothing. A kernel that cannot says no, which
    is no harm.
    """
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for line in Path("/proc/self/maps").read_text().splitlines():
        place, rights, *_, last = line.split()
        if rights.startswith("rw") and (last == "0" or last == "[heap]"):
            begin, end = (int(one, 16) for one in place.split("-"))
            begin, end = -(-begin // _HUGE) * _HUGE, end // _HUGE * _HUGE
            if begin < end:
                madvise(begin, end - begin, _COLLAPSE)


def _import_other_peoples() -> None:
    for module in OTHER_PEOPLES:
        importlib.import_module(module)
    for package in map(importlib.import_module, WHOLE):
        for found in iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)


def _import_ours() -> None:
    for module in OURS:
        importlib.import_module(module)
    for source in filter(importlib.util.find_spec, OF_A_SOURCE):
        for name in OF_A_SOURCE[source]:
            importlib.import_module(f"{source}.{name}")
    importlib.import_module("sqlalchemy.orm").configure_mappers()
    # The list of public suffixes is read at the first question.
    sys.modules["n8n_scraper.policies.pace.domain"].registrable_domain("example.org")


def _import_what_is_about_workers(*, with_ours: bool) -> None:
    """Do so when the first of them is asked for, and where Celery is installed."""
    if importlib.util.find_spec("celery"):
        for module in OF_CELERY + (OURS_OF_WORKERS if with_ours else []):
            importlib.import_module(module)
        gc.freeze()


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
    """Be what `python -m …` would be in this place, with these streams and limits."""
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
    sys.argv = [wanted["module"], *wanted["arguments"]]
    sys.orig_argv = [sys.executable, "-m", *sys.argv]
    importlib.invalidate_caches()
    if "COVERAGE_PROCESS_CONFIG" in os.environ:
        import coverage

        coverage.process_startup()
    try:
        runpy.run_module(wanted["module"], run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        if isinstance(ended.code, int | None):
            _end(ended.code or 0)
        raise
    _end(0)


def _end(status: int) -> None:
    """End as an interpreter does, but for taking apart all that it shares, and so copying it.

    Returns where something is wrong with the ending, which the interpreter is to tell.
    """
    threading._shutdown()
    atexit._run_exitfuncs()
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _writing(number: int, **options: Any) -> Any:
    options.setdefault("line_buffering", os.isatty(number))
    return io.TextIOWrapper(open(number, "wb"), **options)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])

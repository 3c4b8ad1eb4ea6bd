"""`scrapy report`: write how crawls and archive stand into one file, whole or not at all."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.shared_pace import domains_in_redis
from n8n_scraper.core.console import leave_unread, refuse, say
from n8n_scraper.core.errors import BadInput
from n8n_scraper.serve.report import report_of, report_of_run

_PIPE = "-"
_READABLE = 0o644


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Compute it, then write it."""
    if len(args) > 1 or not opts.output:
        refuse("write: scrapy report -o report.html [RUN]")
    try:
        elsewhere = domains_in_redis(settings)
        with Asking(settings) as database:
            made = (
                report_of_run(database, args[0], elsewhere)
                if args
                else report_of(database, elsewhere)
            )
        if opts.output == _PIPE:
            _pipe(made)
        else:
            _write(Path(opts.output), made)
            say(f"{opts.output}: {len(made.encode()) / 1024:.0f} KiB")
    except BadInput as error:
        refuse(error)


def _pipe(made: str) -> None:
    try:
        sys.stdout.buffer.write(made.encode())
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        leave_unread()


def _write(path: Path, made: str) -> None:
    """Put it in the place of an older one at once."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(made)
            Path(name).chmod(_READABLE)
            Path(name).replace(path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise BadInput(f"-o {path}: it cannot be written: {error.strerror}.") from None

"""Speak to the person at the terminal: the only place that prints, besides the stand-in."""

from __future__ import annotations

import codecs
import io
import json
import os
import signal
import sys
from typing import NoReturn

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.started import as_started


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Write a sign that a terminal does not know as JSON would, so that JSON stays readable."""
    assert isinstance(error, UnicodeEncodeError)
    signs = error.object[error.start : error.end]
    return json.dumps(signs)[1:-1], error.end


codecs.register_error("escaped", _escaped)


def say(line: str) -> None:
    """Write a line to standard output, at once; leave when nobody reads it any more."""
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="escaped")
    try:
        print(line, flush=True)  # noqa: T201
    except BrokenPipeError:
        leave_unread()


def leave_unread() -> NoReturn:
    """Leave without a word, because nobody reads standard output any more."""
    # What Python would still write at its end must not fail once more.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(128 + signal.SIGPIPE)


def warn(line: object) -> None:
    """Write a line to standard error, or each of several; a command in it can be pasted."""
    for one in str(line).split("\n"):
        print(f"scrapy: {as_started(one)}", file=sys.stderr, flush=True)  # noqa: T201


def refuse(line: object) -> NoReturn:
    """Say in one line what is wrong with the input, and leave."""
    warn(line)
    sys.exit(ExitStatus.BAD_INPUT)

"""`scrapy reread`: read the stored answers anew with today's readers, without a request."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from scrapy.settings import BaseSettings
from scrapy.utils.conf import arglist_to_dict

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.reread_words import advice_on, difference_lines, found_lines, how_far
from n8n_scraper.commands.source_meant import source_meant
from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.computing import switched_off
from n8n_scraper.core.console import refuse, say, warn
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.crawl.compute.pool import ComputeLost
from n8n_scraper.crawl.compute.processes import Processes, cores
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.records.rereading.blocks import Compared
from n8n_scraper.records.rereading.selection import Selection
from n8n_scraper.records.rereading.whole import ITEMS_A_BLOCK, Order, Rereading

SYNTAX = "[-a ids=ID,ID | -a since=DAY|SPAN] [--source NAME] [--dry-run] [--json]"
_SECONDS_ON_A_TERMINAL, _SECONDS_ELSEWHERE = 0.2, 10.0
_CLEAR = "\x1b[K"


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> int:
    """Read, tell, and leave with the status that it deserves."""
    try:
        given = _arguments(args, opts.arguments)
        patience = DatabaseSettings.from_settings(settings).patience_seconds
    except BadInput as error:
        refuse(error)
    with Asking(settings, patience) as database:
        order = _order(settings, database, opts, given)
        blocks = -(-Rereading(database, order).standing.left // ITEMS_A_BLOCK)
    # Here, because no connection to SQLite may be open in a process that is forked.
    with (
        Processes(min(cores(), max(1, blocks))) as processes,
        Asking(settings, patience) as database,
    ):
        rereading = Rereading(database, order)
        telling = _Telling(rereading, order, as_json=opts.json)
        broken_off = _read(rereading, processes, telling)
    standing = rereading.standing
    status = ExitStatus.BROKEN if broken_off else standing.status
    if opts.json:
        found = standing.as_json() | {"stored": not order.only_look}
        say(json.dumps(found | {"seconds": round(telling.seconds, 3), "status": int(status)}))
    else:
        for line in found_lines(standing, order, telling.seconds):
            say(line)
    if advice := broken_off or ("" if opts.json else advice_on(standing, order)):
        warn(advice)
    return status


def _arguments(args: list[str], given: list[str]) -> dict[str, str]:
    if args:
        raise BadInput(f"{args[0]!r} means nothing here; write: scrapy reread {SYNTAX}")
    try:
        return dict(arglist_to_dict(given))
    except ValueError:
        raise BadInput("-a takes NAME=VALUE, as in -a since=7d.") from None


def _order(
    settings: BaseSettings, database: Database, opts: argparse.Namespace, given: dict[str, str]
) -> Order:
    source = source_meant(database, opts.source)
    return Order(
        source,
        Selection.parse(source, given, utc_now()),
        unwanted=switched_off(source.kind().computed, settings),
        only_look=opts.dry_run,
    )


def _read(rereading: Rereading, processes: Processes, telling: _Telling) -> str:
    """Read until the end, or until a signal comes; say what has broken it off, if something has."""
    try:
        with _stopped_politely(rereading):
            rereading.run(processes.each, telling.tell)
    except ComputeLost as lost:
        return f"broken off: {lost}; the same command goes on."
    except KeyboardInterrupt:
        pass  # a second one: the block under way is as it was
    finally:
        telling.end()
    return ""


@contextmanager
def _stopped_politely(rereading: Rereading) -> Iterator[None]:
    """Let a first signal end it behind the block under way, and a second one at once."""

    def stop(number: int, _frame: object) -> None:
        rereading.stopping = True
        signal.signal(number, signal.default_int_handler)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Telling:
    """Says on standard error how far it is: on a terminal in one line that is written over."""

    def __init__(self, rereading: Rereading, order: Order, *, as_json: bool) -> None:
        self._rereading = rereading
        self._noun = order.source.noun
        self._shows_values = order.only_look and bool(order.selection.ids) and not as_json
        self._on_terminal = sys.stderr.isatty()
        self._every = _SECONDS_ON_A_TERMINAL if self._on_terminal else _SECONDS_ELSEWHERE
        self._began = self._told = time.monotonic()
        self.seconds = 0.0

    def tell(self, compared: Sequence[Compared]) -> None:
        """Hear what has come of some items, and say how far it is when that is due."""
        if self._shows_values:
            for one in compared:
                for line in difference_lines(one):
                    say(line)
        now = time.monotonic()
        if now - self._told >= self._every:
            self._told = now
            line = how_far(self._rereading.standing, self._noun, now - self._began)
            if self._on_terminal:
                sys.stderr.write(f"\r{line}{_CLEAR}")
                sys.stderr.flush()
            else:
                warn(line)

    def end(self) -> None:
        """Take the line away, and note the time that all of it took."""
        self.seconds = time.monotonic() - self._began
        if self._on_terminal:
            sys.stderr.write(f"\r{_CLEAR}")
            sys.stderr.flush()

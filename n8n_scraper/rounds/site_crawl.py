"""A crawl of one site: entered in the ledger, begun as a process, and judged by what it brought."""

from __future__ import annotations

import signal
import tempfile
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, BinaryIO

from scrapy.settings import BaseSettings

from n8n_scraper.core.environment import given_by_hand
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.source import ITEMS
from n8n_scraper.core.wording import printable
from n8n_scraper.crawl.site_runs import SiteEntrance
from n8n_scraper.ledger import sites
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.run.ending import meaning_of
from n8n_scraper.policies.run.site_turns import WELL, Verdict
from n8n_scraper.reports.site_runs import SiteRun, site_run
from n8n_scraper.sources import source_of
from n8n_scraper.sources_file.entry import Entry
from n8n_scraper.sources_file.told import arguments_of, settings_of
from n8n_scraper.workers.child import Child

_TAIL_BYTES = 4096


class Came(StrEnum):
    """What came of a site in a round."""

    GOOD = "good"
    PARTLY = "partly"
    """It has brought what the site must give, and some of it could not be had in full."""
    FAILED = "failed"
    STOPPED = "stopped"
    LEFT_OUT = "left out"
    """Somebody crawls it already, or its time has not come."""
    RESTS = "rests"
    """It has failed too often lately, or its domain does not answer."""
    REFUSED = "refused"
    """What its entry asks for makes no sense to its spider or to the archive."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a site, and why."""

    site: str
    came: Came
    why: str = ""
    status: int | None = None
    """The exit status of its crawl."""
    run: SiteRun | None = None
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        return {
            "site": self.site,
            "came": str(self.came),
            "why": self.why or None,
            "exit_status": self.status,
            "seconds": round(self.seconds, 3),
            "run": None if self.run is None else self.run.as_json(),
        }


class Under:
    """A crawl of a site under way."""

    def __init__(self, entry: Entry, run_id: str, child: Child, output: BinaryIO) -> None:
        self.entry = entry
        self.run_id = run_id
        self._child = child
        self._output = output
        self._began = time.monotonic()

    def fileno(self) -> int:
        """Give what can be read of as soon as it has ended."""
        return self._child.fileno()

    def stop(self) -> None:
        """Ask it to end: what it holds is given back."""
        self._child.stop()

    def kill(self) -> None:
        """End it at once."""
        self._child.kill()

    def close(self) -> tuple[int, str, float]:
        """Give its exit status, the last that it has said, and how many seconds it took."""
        status = self._child.close()
        with self._output as output:
            output.seek(0, 2)
            output.seek(max(0, output.tell() - _TAIL_BYTES))
            said = output.read().decode(errors="replace").splitlines()
        last = next((line for line in reversed(said) if line.strip()), "it has said nothing")
        return status, printable(last.strip()), time.monotonic() - self._began


class SiteCrawls:
    """Begins crawls of sites, and tells what came of them."""

    def __init__(self, settings: BaseSettings, database: Database, logs: Path | None) -> None:
        self._settings = settings
        self._database = database
        self._logs = logs
        self._entrance = SiteEntrance(settings, database)

    def begin(self, entry: Entry) -> Under | Outcome:
        """Begin a crawl; where that cannot be, give what came of the site instead."""
        source = source_of(entry.kind)
        arguments, told = arguments_of(entry, source), settings_of(entry, source)
        try:
            run_id, is_ours = self._entrance.enter(entry, {})
        except BadInput as refused:
            return Outcome(entry.name, Came.REFUSED, str(refused), ExitStatus.BAD_INPUT)
        if not is_ours:
            return Outcome(entry.name, Came.LEFT_OUT, f"run {run_id} is crawled already")
        words = ["crawl", source.spider, "-a", f"run={run_id}"]
        for name, value in arguments.items():
            words += ["-a", f"{name}={value}"]
        for name, value in (given_by_hand(self._settings) | told).items():
            words += ["-s", f"{name}={value}"]
        output = self._output_of(entry.name)
        return Under(entry, run_id, Child(words, output=output, PROGRESS="off"), output)

    def end(self, under: Under) -> Outcome:
        """Judge a crawl that has ended."""
        status, said, seconds = under.close()
        self._database.do(lambda session: sites.close_if_left(session, under.run_id, status))
        run = site_run(self._database, under.entry, under.run_id)
        came, why = _judged(status, run, said)
        return Outcome(under.entry.name, came, why, status, run, seconds)

    def _output_of(self, name: str) -> BinaryIO:
        if self._logs is None:
            return tempfile.TemporaryFile()
        return (self._logs / f"{name}.log").open("w+b")


def _judged(status: int, run: SiteRun | None, said: str) -> tuple[Came, str]:
    if status in (ExitStatus.WORK_LEFT, -signal.SIGINT):
        return Came.STOPPED, "stopped with work left"
    if status < 0:
        return Came.FAILED, f"killed by {signal.Signals(-status).name}"
    if status in WELL and run is not None:
        if run.verdict is Verdict.FAILED and run.shortfalls:
            return Came.FAILED, "; ".join(run.shortfalls)
        if status == ExitStatus.DONE:
            return Came.GOOD, ""
        if run.verdict is Verdict.GOOD:
            return Came.PARTLY, meaning_of(status, run.noun) or said
    noun = ITEMS if run is None else run.noun
    return Came.FAILED, f"{meaning_of(status, noun) or f'status {status}'}: {said}"

"""A round of sites, told to a person as it goes, and summed up at its end."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence

from n8n_scraper.commands.site_words import began_line, summary_lines
from n8n_scraper.core.console import say
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.reports.sites import SiteReport, moment
from n8n_scraper.rounds.result import status_of_round
from n8n_scraper.rounds.round import Process, Round
from n8n_scraper.rounds.site_crawl import Came, Outcome, SiteCrawls, Under
from n8n_scraper.sources_file.entry import Entry


class SiteRound:
    """Sites to be crawled, and what has come of them so far."""

    def __init__(self, crawls: SiteCrawls, opts: argparse.Namespace) -> None:
        self._crawls = crawls
        self._as_json = bool(opts.json)
        self._is_asked_for = bool(opts.only)
        self._only_due = bool(opts.due)
        self._outcomes: dict[str, Outcome] = {}

    def go(self, sites: Sequence[SiteReport], at_once: int) -> ExitStatus:
        """Crawl them, and sum up what came of each, in the order in which they had their turn."""
        ready = [one.entry for one in sites if not self._is_left_out(one)]
        going: Round[Entry] = Round(at_once, self._begin, self._end)
        going.go(ready)
        for entry in going.left_over:
            self._note(Outcome(entry.name, Came.STOPPED, "its turn had not come"))
        outcomes = [self._outcomes[one.entry.name] for one in sites]
        status = status_of_round(outcomes, was_ended=going.was_ended)
        if self._as_json:
            found = [one.as_json() for one in outcomes]
            say(json.dumps({"exit_status": status, "sites": found}, ensure_ascii=False))
        else:
            for line in summary_lines(outcomes):
                say(line)
        return status

    def _begin(self, entry: Entry) -> Process | None:
        begun = self._crawls.begin(entry)
        if isinstance(begun, Outcome):
            self._note(begun)
            return None
        self._tell(began_line(entry.name, begun.run_id))
        return begun

    def _end(self, entry: Entry, process: Process) -> None:
        assert isinstance(process, Under)
        outcome = self._crawls.end(process)
        self._note(outcome)
        self._tell(f"{entry.name}: {outcome.came}")

    def _note(self, outcome: Outcome) -> None:
        self._outcomes[outcome.site] = outcome

    def _tell(self, line: str) -> None:
        if not self._as_json:
            say(line)

    def _is_left_out(self, site: SiteReport) -> bool:
        """Note why a site has no turn, where it has none; what is asked for by name has one."""
        outcome = None if self._is_asked_for else _resting(site)
        if outcome is None and self._only_due and not site.standing.is_due(time.time()):
            due = site.standing.due_at
            why = "it has no schedule" if due is None else f"due at {moment(due)}"
            outcome = Outcome(site.entry.name, Came.LEFT_OUT, why)
        if outcome is not None:
            self._note(outcome)
        return outcome is not None


def _resting(site: SiteReport) -> Outcome | None:
    """Say why a site is left alone, where it is."""
    if site.domain is not None and site.is_circuit_open:
        why = f"the circuit of {site.domain.domain} is open: {site.domain.reason}"
        return Outcome(site.entry.name, Came.RESTS, why)
    if site.standing.rests_until > time.time():
        until = moment(site.standing.rests_until)
        why = f"failed {site.standing.failures} times in a row, left alone until {until}"
        return Outcome(site.entry.name, Came.RESTS, why)
    return None

"""`scrapy dispatch`: hand a crawl to workers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrapy.settings import BaseSettings
from scrapy.spiderloader import get_spider_loader
from scrapy.utils.conf import arglist_to_dict

from n8n_scraper.commands.how_many import how_many
from n8n_scraper.commands.words import run_lines
from n8n_scraper.core.console import refuse, say, warn
from n8n_scraper.core.errors import BadInput, NotHealthy, StoreError
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.extras import WORKERS
from n8n_scraper.core.started import as_started
from n8n_scraper.crawl.checks import check_settings
from n8n_scraper.crawl.sessions.session_settings import SessionSettings
from n8n_scraper.ledger.admission import admit
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.ledger.joining import run_to_join
from n8n_scraper.policies.run.run_settings import RunSettings
from n8n_scraper.reports.runs import RunReport, run_reports
from n8n_scraper.sources import all_sources, known
from n8n_scraper.spiders.arguments import JOINING
from n8n_scraper.workers.worker_settings import WorkerSettings

if TYPE_CHECKING:
    from n8n_scraper.ledger.ledger import NewRun
    from n8n_scraper.workers.dispatching import Dispatcher
    from n8n_scraper.workers.handing_out import Broker

_ANSWER_SECONDS = 1.0
"""How long the answer of a worker is waited for."""

_NEWEST = 50
"""Among how many runs of a source it is looked for one that is not through."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was typed."""

    spiders: list[str]
    arguments: dict[str, str]
    most_at_once: int | None
    waits: bool
    unless_under_way: bool


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> ExitStatus:
    """Hand out what was asked for."""
    if line := WORKERS.missing():
        refuse(f"scrapy dispatch needs what is not installed: {line}")
    try:
        asked = _asked(args, opts)
        told = WorkerSettings.from_settings(settings)
        if settings["JOBDIR"]:
            raise BadInput("a dispatched run needs no JOBDIR: its state is in the database.")
        check_settings(settings)
        with _at_hand(settings, told) as (dispatch, broker):
            in_turn = len(asked.spiders) > 1 and not told.is_parallel
            return _Round(asked, dispatch, broker).go(in_turn=in_turn)
    except BadInput as error:
        refuse(error)
    except NotHealthy as error:
        warn(error)
        return ExitStatus.NOT_HEALTHY
    except StoreError as error:
        warn(error)
        return ExitStatus.STORE_LOST


def _asked(args: list[str], opts: argparse.Namespace) -> _Asked:
    if opts.all == bool(args) or len(args) > 1:
        usual = all_sources()[0].spider
        raise BadInput(f"name one spider or --all, as in: scrapy dispatch {usual}")
    try:
        arguments = arglist_to_dict(opts.spargs)
    except ValueError:
        raise BadInput("write -a NAME=VALUE, as in -a mode=update.") from None
    if opts.all and JOINING in arguments:
        raise BadInput("-a run=… names one run: name its spider instead of --all.")
    workers = how_many("--workers", opts.workers, example=4)
    whole = [source.spider for source in all_sources() if source.divided_by is None]
    spiders = whole if opts.all else args
    return _Asked(spiders, arguments, workers, opts.wait, opts.unless_under_way)


@contextmanager
def _at_hand(settings: BaseSettings, told: WorkerSettings) -> Iterator[tuple[_Dispatch, Broker]]:
    from n8n_scraper.workers.app import make_app
    from n8n_scraper.workers.dispatching import Dispatcher
    from n8n_scraper.workers.handing_out import Broker
    from n8n_scraper.workers.jobs import jobs_at

    url = told.needed_broker.url
    place = DatabaseSettings.from_settings(settings)
    database = Database(place.url, patience_seconds=place.patience_seconds)
    broker = Broker(make_app(told), url)
    try:
        with jobs_at(url) as jobs:
            sessions = SessionSettings.from_settings(settings).shared
            dispatcher = Dispatcher(database, broker, jobs, told.chunk_size, sessions)
            yield _Dispatch(settings, database, dispatcher), broker
    finally:
        database.close()


class _Round:
    """One run a spider; what is wrong with one leaves the others alone."""

    def __init__(self, asked: _Asked, dispatch: _Dispatch, broker: Broker) -> None:
        self._asked = asked
        self._dispatch = dispatch
        self._to_come = list(asked.spiders)
        self._under_way: list[RunReport] = []
        self._worst = ExitStatus.DONE
        self._nobody_answers = not broker.has_worker(_ANSWER_SECONDS)

    def go(self, *, in_turn: bool) -> ExitStatus:
        """Hand all of them out, each when the one before has ended where they go `in_turn`.

        Ctrl-C ends the waiting for all of them, and no run.
        """
        try:
            while self._to_come:
                self._hand_out(self._to_come[0])
                del self._to_come[0]
                if in_turn:
                    self._wait()
            if self._asked.waits:
                self._wait()
        except KeyboardInterrupt:
            for run in self._under_way:
                say(as_started(f"run {run.run_id} goes on; scrapy status {run.run_id} tells more."))
            # Ctrl-C may come between handing out and crossing off the list.
            handed_out = {run.spider for run in self._under_way}
            for spider in self._to_come:
                if spider not in handed_out:
                    say(f"{spider} is not handed out.")
            return ExitStatus.WORK_LEFT
        return self._worst

    def _hand_out(self, spider: str) -> None:
        try:
            run = self._dispatch.hand_out(spider, self._asked)
        except BadInput as error:
            if len(self._asked.spiders) == 1:
                raise
            warn(f"{spider}: {error}")
            self._worst = max(self._worst, ExitStatus.BAD_INPUT)
            return
        if run is None:
            return
        self._under_way.append(run)
        if self._nobody_answers:
            warn("no worker answers: what is handed out waits until one does.")
            self._nobody_answers = False

    def _wait(self) -> None:
        while self._under_way:
            self._worst = max(self._worst, self._dispatch.wait(self._under_way[0], self._asked))
            del self._under_way[0]


class _Dispatch:
    """One run after the other, told to a person."""

    def __init__(self, settings: BaseSettings, database: Database, dispatcher: Dispatcher) -> None:
        self._settings = settings
        self._database = database
        self._dispatcher = dispatcher

    def hand_out(self, spider: str, asked: _Asked) -> RunReport | None:
        """Hand out a run of a spider; None where it has one that is not through."""
        new = self._new_run(spider, asked.arguments)
        if asked.unless_under_way and (there := self._under_way(new)):
            say(f"{spider}: run {there} is not through; nothing is handed out.")
            return None
        run_id = self._run_of(new, asked)
        run = self._dispatcher.hand_out(run_id, asked.most_at_once)
        say(as_started(f"{spider}: run {run_id} is handed out; scrapy status {run_id} tells more."))
        return run

    def wait(self, run: RunReport, asked: _Asked) -> ExitStatus:
        """Wait for the end of a run, and tell how it stands then."""
        ended = self._dispatcher.wait(run.run_id, asked.most_at_once, warn)
        for line in run_lines(ended):
            say(as_started(line))
        status = ended.exit_status
        return ExitStatus.WORK_LEFT if status is None else ExitStatus(status)

    def _new_run(self, name: str, arguments: dict[str, str]) -> NewRun:
        try:
            spider: Any = get_spider_loader(self._settings).load(name)
        except KeyError:
            raise BadInput(f"there is no spider {name!r}; `scrapy list` names them.") from None
        if not getattr(spider, "keeps_the_archive", False):
            raise BadInput(f"the spider {name} plans no run that could be handed out.")
        spider.check_arguments(arguments)
        new: NewRun = spider.new_run(self._settings, arguments)
        return new

    def _run_of(self, new: NewRun, asked: _Asked) -> str:
        if (joined := asked.arguments.get(JOINING)) is not None:
            found = self._database.look(lambda session: run_to_join(session, joined, new))
            return found.run_id
        other_site = RunSettings.from_settings(self._settings).other_site
        name = self._database.name
        self._database.do(lambda session: admit(session, new, None, name, other_site=other_site))
        return self._dispatcher.enter(new, asked.most_at_once)

    def _under_way(self, new: NewRun) -> str | None:
        from n8n_scraper.workers.state import state_of

        self._database.open()
        source = known(new.source)
        place = source.division(new.arguments) if source else None
        for one in run_reports(self._database, _NEWEST, new.source):
            if place and source and source.division(one.arguments) != place:
                continue  # of another place, which is nobody's business here
            state = state_of(one)
            if state.others or (one.chunk_size and state.is_wanted):
                return one.run_id
        return None

"""What the spiders of all sources have in common: a run that is planned, fed and finished.

Commands that only name a spider import it, and so does a crawl that is refused: what only a crawl
under way needs, its database above all, is imported where that begins to be used.
"""

from __future__ import annotations

import asyncio
import time
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, ClassVar, Self
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.exceptions import CloseSpider

from n8n_scraper import __version__
from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.environment import given_by_hand
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.crawl.compute.pool import ComputeLost, compute_of
from n8n_scraper.crawl.gate import NO_WITNESS
from n8n_scraper.crawl.introduction import Introduction
from n8n_scraper.crawl.judgement import EXPECTS, UnusableAnswer
from n8n_scraper.crawl.scrapy_internals import send_through_pipelines
from n8n_scraper.crawl.stopping import Stopped
from n8n_scraper.extensions.spending import SPENT, Spending
from n8n_scraper.ledger.jobdir import JobDirectory
from n8n_scraper.policies.failure.category import NOT_THERE
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.run.command_line import crawl_command
from n8n_scraper.policies.run.run_settings import RunSettings
from n8n_scraper.spiders.arguments import JOINING, CrawlArguments
from n8n_scraper.spiders.failures import category_of, is_unreached, status_of, words_of
from n8n_scraper.spiders.planning import Planning

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure

    from n8n_scraper.core.item import Item
    from n8n_scraper.core.source import Source
    from n8n_scraper.crawl.finishing import Order
    from n8n_scraper.crawl.working import CrawlWorker
    from n8n_scraper.ledger.ledger import NewRun

_ANONYMOUS = (
    "The site does not learn how to reach you: give an address or a page of yours, as in "
    "-s CONTACT=you@example.org"
)
# The inventory goes before anything that is already under way.
_FIRST = 100

PART = "part"
"""Key of `Request.meta`: which part of its item is asked for."""


class PlannedSpider(Spider):
    """Plans a run by the source's inventory, feeds its items as room becomes free, finishes them.

    A source says where its inventory begins (`discover`), what of it is planned (`plan`,
    `inventory_is_whole`), and what is asked next for an item (`next_request`).
    """

    keeps_the_archive: ClassVar[bool] = True
    source: ClassVar[Source]
    takes: ClassVar[type[CrawlArguments]] = CrawlArguments
    """The arguments that the source takes."""

    def __init__(self, *args: Any, run: str | None = None, **kwargs: Any) -> None:
        super().__init__(*args)
        self.joins = run
        """The run to work on, where that is one that is there."""
        self.given = _typed(kwargs)
        self.arguments = self.takes.parse(self.source, self.given)
        self._sent_on: set[asyncio.Future[None]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Let the arguments have their say before the settings are frozen."""
        cls.tell_settings(crawler.settings, kwargs)
        return super().from_crawler(crawler, *args, **kwargs)

    @classmethod
    def tell_settings(cls, settings: BaseSettings, arguments: Mapping[str, Any]) -> None:
        """Put into the settings what the arguments stand for, where they stand for any."""

    @classmethod
    def check_arguments(cls, arguments: Mapping[str, str]) -> None:
        """Refuse arguments that make no sense, before a crawl is set up for them."""
        given = {name: value for name, value in _typed(arguments).items() if name != JOINING}
        cls.takes.parse(cls.source, given)

    @classmethod
    def new_run(cls, settings: BaseSettings, arguments: Mapping[str, Any]) -> NewRun:
        """Say what a crawl with these settings and arguments is to do."""
        from n8n_scraper.crawl.checks import kept_settings
        from n8n_scraper.ledger.ledger import NewRun

        typed = _typed(arguments)
        given = {name: value for name, value in typed.items() if name != JOINING}
        return NewRun(
            spider=cls.name,
            source=cls.source.name,
            site=next(iter(cls.source.places(settings)), ""),
            arguments=given,
            settings={name: settings[name] for name in (*cls.source.bases, *kept_settings())},
            versions={"n8n-scraper": __version__, "scrapy": version("scrapy")},
            command=crawl_command(cls.name, typed, given_by_hand(settings)),
        )

    @abstractmethod
    def discover(self) -> Request:
        """Ask for that with which the inventory begins."""

    @abstractmethod
    async def next_request(self, dossier: Dossier) -> Request | None:
        """Ask for the next part of an item; None when all of its parts are settled."""

    @property
    def requests_each(self) -> int:
        """How many requests an item takes where all goes well."""
        return len(self.source.parts)

    @property
    def worker(self) -> CrawlWorker:
        """This process at work on its run."""
        from n8n_scraper.crawl.working import worker_of

        return worker_of(self.crawler)

    @cached_property
    def planning(self) -> Planning:
        """The plan of the run."""
        return self._new_planning(None)

    def _new_planning(self, spending: Spending | None) -> Planning:
        most_removed = RunSettings.from_settings(self.settings).most_removed
        return Planning(
            self.source, self.worker, self.arguments, spending, most_removed=most_removed
        )

    async def start(self) -> AsyncIterator[Any]:
        """Enter a run, then do what there is to do: read the inventory, see one item after another.

        It ends when the last item is through: the engine sees at once then that nothing is left.
        """
        from n8n_scraper.ledger.worker import Discovery

        if self.is_anonymous:
            self.logger.warning(_ANONYMOUS)
        if not await self._has_a_run():
            return
        spending = await self._spending()
        told = RunSettings.from_settings(self.settings)
        most = told.items_under_way
        # What a killed process has claimed counts as spent: a budget is claimed for as it is used.
        ahead = 0 if spending else most
        async for task in self.worker.work(most, ahead=ahead, at_most=told.items_at_most):
            if isinstance(task, Discovery):
                # What this process may have planned before, another one has gone on with since.
                self.planning = self._new_planning(spending)
                yield self.discover()
            elif spending is not None and not await spending.affords(task):
                await self.worker.drop(task, SPENT)
            elif isinstance(step := await self._begin(task), Request):
                yield step
            elif step is not None:
                self._send_on(step)
        await asyncio.gather(*self._sent_on)

    async def _has_a_run(self) -> bool:
        """Enter a run, go on with one, or join one; False when that one is not to be joined."""
        if self.joins is None:
            job = JobDirectory(self.settings["JOBDIR"]) if self.settings["JOBDIR"] else None
            await self.worker.begin(self.new_run(self.settings, self.given), job)
            return True
        asked = self.new_run(self.settings, {JOINING: self.joins, **self.given})
        try:
            await self.worker.begin_beside(self.joins, asked)
        except BadInput as error:  # `scrapy crawl` has found out before, if it was so by then
            self.logger.error("%s", error)
            self.crawler.stats.set_value("exit_status", int(ExitStatus.BAD_INPUT))
            return False
        self.arguments = self.takes.parse(self.source, self.worker.run.arguments)
        return True

    async def _spending(self) -> Spending | None:
        if self.arguments.budget is None:
            return None
        return await Spending.within(
            self.arguments.budget, self.source, self.requests_each, self.crawler
        )

    @property
    def is_anonymous(self) -> bool:
        """Whether the real site is asked, and does not learn how to reach whoever asks."""
        real = self.source.settings[self.source.bases[0]]
        is_real = registrable_domain(self.site) == registrable_domain(real)
        return is_real and Introduction.from_settings(self.settings).is_anonymous

    @cached_property
    def site(self) -> str:
        """Where the source is."""
        return self.source.places(self.settings)[0]

    def inventory_request(
        self, url: str, callback: Any, *, expects: str, errback: Any = None, **arguments: Any
    ) -> Request:
        """Ask for a piece of the inventory."""
        return Request(
            url,
            callback=callback,
            errback=errback or self.inventory_failed,
            cb_kwargs=arguments,
            meta={EXPECTS: expects, NO_WITNESS: True},
            priority=_FIRST,
            dont_filter=True,
        )

    async def plan(self, listed: Iterable[Planned]) -> None:
        """Plan what is asked for of a part of the inventory."""
        await self.planning.take(listed)

    async def inventory_is_whole(self) -> None:
        """Plan what is left to plan, and then nothing more."""
        refusal = await self.planning.complete()
        error = None
        if not refusal and self.planning.is_empty:
            error = f"The inventory of {self.site} lists no {self.source.noun} at all."
        warning = self.planning.warning
        await self.worker.discovery_is_over(error, refusal=refusal, warning=warning)

    async def inventory_ends_early(self, why: str) -> None:
        """Plan what is left to plan of an inventory that was read no further; remove nothing."""
        refusal = await self.planning.complete(is_whole=False)
        await self.worker.discovery_is_over(refusal=refusal, warning=why)

    async def inventory_is_not_whole(self, why: str) -> None:
        """Plan nothing more, because of what the site answers."""
        await self.worker.discovery_is_over(
            f"The list of {self.source.noun.many} is not whole: {why}."
        )

    async def inventory_failed(self, failure: Failure) -> None:
        """Say that a piece of the inventory could not be had."""
        if isinstance(failure.value, Stopped):
            return
        request: Request = failure.request  # type: ignore[attr-defined]
        words = words_of(failure).rstrip(".")
        if is_unreached(failure) and self.planning.is_empty:
            host = urlsplit(request.url).netloc
            await self.worker.discovery_is_over(f"{host} could not be reached ({words}).")
        else:
            await self.inventory_is_not_whole(f"{request.url} could not be read ({words})")

    def part_request(
        self,
        part: str,
        dossier: Dossier,
        url: str,
        callback: Callable[..., AsyncIterator[Any]],
        *,
        expects: str,
    ) -> Request:
        """Ask for a part of an item."""
        return Request(
            url,
            callback=callback,
            errback=self.part_failed,
            cb_kwargs={"dossier": dossier},
            meta={PART: part, EXPECTS: expects},
            # An item that is nearly through goes before one that has just begun.
            priority=self.source.parts.index(part),
            dont_filter=True,
        )

    def take(self, part: str, response: Response, dossier: Dossier) -> None:
        """Keep the answer of a part as it came."""
        if response.request is not None:
            dossier.requests += _requests_spent(response.request)
        dossier.take(_answer(part, response))

    async def part_failed(self, failure: Failure) -> AsyncIterator[Any]:
        """Note why a part could not be had, and go on with the next."""
        if isinstance(failure.value, Stopped):
            return  # the ledger gives the item back
        request: Request = failure.request  # type: ignore[attr-defined]
        dossier: Dossier = request.cb_kwargs["dossier"]
        dossier.requests += _requests_spent(request)
        category = category_of(failure)
        if isinstance(failure.value, UnusableAnswer):
            answer = failure.value.response
            dossier.unread[request.meta[PART]] = _answer(request.meta[PART], answer)
        dossier.settle(
            request.meta[PART],
            PartStatus.MISSING if category in NOT_THERE else PartStatus.FAILED,
            words_of(failure),
            category,
            status_of(failure),
        )
        yield await self.advance(dossier)

    async def advance(self, dossier: Dossier) -> Request | Item | None:
        """Take the next step for an item: a request, or the item when it is through."""
        request = await self.next_request(dossier)
        if request is None:
            return await self._finish(dossier)
        return request if await self._is_kept(dossier) else None

    async def _is_kept(self, dossier: Dossier) -> bool:
        """Keep what has come so far; whoever has lost an item to another asks no more for it."""
        return self.worker.run_id is None or await self.worker.keep(dossier)

    def _send_on(self, item: Item) -> None:
        """Let an item for which nothing was asked go through the pipelines, beside the next one."""
        sent = asyncio.ensure_future(send_through_pipelines(self.crawler, item))
        self._sent_on.add(sent)
        sent.add_done_callback(self._sent_on.discard)

    async def _begin(self, dossier: Dossier) -> Request | Item | None:
        """Take the first step for an item; what breaks on it costs no other item its turn."""
        try:
            return await self.advance(dossier)
        except CloseSpider:
            raise
        except Exception as error:
            self.logger.exception("%s %s broke off", self.source.noun, dossier.item_id)
            from n8n_scraper.ledger.ledger import State

            reason = f"our own error: {error!r}"
            await self.worker.fail(dossier.item_id, State.FAILED, reason)
            return None

    async def _finish(self, dossier: Dossier) -> Item | None:
        """Make the item of all that has come, away from the event loop."""
        from n8n_scraper.crawl.finishing import finish
        from n8n_scraper.ledger.ledger import State

        dossier.through = True
        size = sum(len(answer.body) for answer in dossier.answers.values())
        order, compute = self._order(dossier), compute_of(self.crawler)
        try:
            finished = await compute.run(size, finish, self.source, dossier, order)
        except ComputeLost as lost:
            reason = f"its answers could not be read: {lost}"
            await self.worker.fail(dossier.item_id, State.FAILED, reason)
            return None
        dossier.parts, dossier.written = finished.parts, finished.written
        if finished.item is None:
            await self.worker.close(dossier)
        return finished.item

    def _order(self, dossier: Dossier) -> Order:
        from n8n_scraper.core.source import Provenance
        from n8n_scraper.crawl.finishing import Order

        return Order(
            Provenance(
                site=self.site,
                run_id=self.worker.run_id or "none",
                scraped_at=utc_now(),
                processing_time=round(time.monotonic() - dossier.started, 3),
            ),
            ahead=self._is_alone,
            off=self._switched_off,
        )

    @cached_property
    def _switched_off(self) -> frozenset[str]:
        from n8n_scraper.core.computing import switched_off

        return switched_off(self.source.kind().computed, self.settings)

    @cached_property
    def _is_alone(self) -> bool:
        """Whether only our own code has an item in its hands before it is stored."""
        from n8n_scraper.pipelines.order import only_ours

        ours = type(self).__module__.partition(".")[0] == __name__.partition(".")[0]
        return ours and only_ours(self.settings)


def _typed(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what scrapyd adds by itself: `_job` and its like."""
    return {name: value for name, value in arguments.items() if not name.startswith("_")}


def _answer(part: str, response: Response) -> Answer:
    return Answer(part, response.url, response.status, response.body, utc_now())


def _requests_spent(request: Request) -> int:
    """This request and all that led to it: repeats and redirects."""
    meta = request.meta
    return 1 + int(meta.get("retry_times", 0)) + int(meta.get("redirect_times", 0))

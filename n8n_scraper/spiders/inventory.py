"""The part of a spider that finds out what there is: the inventory of the site.

Commands that only name a spider import it, and so does a crawl that is refused: what only a crawl
under way needs, its database above all, is imported where that begins to be used.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, ClassVar, Self
from urllib.parse import urlsplit

from scrapy import Request, Spider

from n8n_scraper import __version__
from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.environment import given_by_hand
from n8n_scraper.core.errors import BadInput, UnreadableAnswer
from n8n_scraper.crawl.gate import NO_WITNESS
from n8n_scraper.crawl.introduction import Introduction
from n8n_scraper.crawl.stopping import Stopped
from n8n_scraper.extensions.spending import NOTHING_LEFT, SPENT, Spending
from n8n_scraper.ledger.jobdir import JobDirectory
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.run.command_line import crawl_command
from n8n_scraper.policies.run.run_settings import RunSettings
from n8n_scraper.sources.n8n.addresses import MOST_SEARCH_PAGES, SEARCH_ROWS, Addresses
from n8n_scraper.sources.n8n.pages.categories import read_categories
from n8n_scraper.sources.n8n.pages.search import read_search
from n8n_scraper.sources.n8n.pages.sitemap import read_sitemap
from n8n_scraper.sources.n8n.rules import unknown_category
from n8n_scraper.sources.n8n.rules.sitemap_walk import SitemapWalk
from n8n_scraper.spiders.arguments import CrawlArguments, CrawlMode
from n8n_scraper.spiders.failures import is_unreached, status_of, words_of
from n8n_scraper.spiders.selection import Selection, in_order_of_need

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from sqlalchemy.orm import Session
    from twisted.python.failure import Failure

    from n8n_scraper.core.source import Source
    from n8n_scraper.ledger.archive import Archive
    from n8n_scraper.ledger.ledger import NewRun
    from n8n_scraper.policies.run.removals import Removals

_BASES = ("N8N_SITE_URL", "N8N_API_URL")
_REAL_SITE = "n8n.io"
_ANONYMOUS = (
    "The site does not learn how to reach you: give an address or a page of yours, as in "
    "-s CONTACT=you@example.org"
)
# The inventory goes before anything that is already under way.
_FIRST = 100


class InventorySpider(Spider):
    """Reads the sitemap, plans the run by it, and feeds the templates as room becomes free."""

    keeps_the_archive: ClassVar[bool] = True
    source: ClassVar[Source]
    addresses: Addresses

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args)
        self.given = _typed(kwargs)
        self.arguments = CrawlArguments.parse(**self.given)
        self.updating = self.arguments.mode is CrawlMode.UPDATE
        # An update has to know the whole inventory before it can choose from it.
        limit = None if self.updating else self.arguments.limit
        self.selection = Selection(self.arguments.ids, limit)
        self.listed: list[Planned] = []
        self.walk = SitemapWalk()
        self.spending: Spending | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Read from the settings where the site is."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        settings = crawler.settings
        spider.addresses = Addresses.from_settings(settings)
        return spider

    @classmethod
    def check_arguments(cls, arguments: Mapping[str, str]) -> None:
        """Refuse arguments that make no sense, before a crawl is set up for them."""
        CrawlArguments.parse(**_typed(arguments))

    @classmethod
    def new_run(cls, settings: BaseSettings, arguments: Mapping[str, Any]) -> NewRun:
        """Say what a crawl with these settings and arguments is to do."""
        from n8n_scraper.crawl.checks import kept_settings
        from n8n_scraper.ledger.ledger import NewRun

        given = _typed(arguments)
        return NewRun(
            spider=cls.name,
            source=cls.source.name,
            site=cls.source.places(settings)[0],
            arguments=given,
            settings={name: settings[name] for name in (*_BASES, *kept_settings())},
            versions={"n8n-scraper": __version__, "scrapy": version("scrapy")},
            command=crawl_command(cls.name, given, given_by_hand(settings)),
        )

    @property
    def archive(self) -> Archive:
        """The run in the database."""
        from n8n_scraper.extensions.archive import archive_of

        return archive_of(self.crawler)

    @abstractmethod
    async def advance(self, dossier: Dossier) -> Any:
        """Take the next step for a template: a request, an item, or nothing more."""

    async def start(self) -> AsyncIterator[Any]:
        """Enter a run, ask for the inventory, then feed the templates."""
        job = JobDirectory(self.settings["JOBDIR"]) if self.settings["JOBDIR"] else None
        if self.is_anonymous:
            self.logger.warning(_ANONYMOUS)
        await self.archive.begin(self.new_run(self.settings, self.given), job)
        if self.arguments.budget is not None:
            self.spending = await Spending.within(self.arguments, self.crawler)
        if self.archive.discovering:
            yield self._first_request()
        most = RunSettings.from_settings(self.settings).items_under_way
        # What a killed process has claimed counts as spent: a budget is claimed for as it is used.
        ahead = 0 if self.spending else most
        async for dossier in self.archive.work(most, ahead=ahead):
            if self.spending is None or self.spending.affords(dossier):
                yield await self.advance(dossier)
            else:
                await self.archive.drop(dossier, SPENT)

    @property
    def is_anonymous(self) -> bool:
        """Whether the real site is asked, and does not learn how to reach whoever asks."""
        is_real = registrable_domain(self.addresses.site) == _REAL_SITE
        return is_real and Introduction.from_settings(self.settings).is_anonymous

    async def parse_search(self, response: Response, page: int = 1) -> AsyncIterator[Request]:
        """Collect the ids of a category, page after page, then look them up in the sitemap.

        @search AI
        @returns requests 1 1
        """
        try:
            found = await asyncio.to_thread(read_search, response.body)
        except UnreadableAnswer as error:
            await self._is_not_whole(f"{response.url} could not be read ({error})")
            return
        new = self.selection.narrow_to(found.templates)
        if not found.total:
            yield self._inventory_request(
                self.addresses.categories, self.parse_categories, expects="json"
            )
        elif page * SEARCH_ROWS >= found.total:
            yield self._sitemap_request(self.addresses.inventory)
        elif new and page < MOST_SEARCH_PAGES:
            yield self._search_request(page + 1)
        else:
            given = page if new else page - 1
            await self._is_not_whole(f"the search gives {given} pages of {found.total} templates")

    async def parse_categories(self, response: Response) -> None:
        """Say which category may have been meant, when the search knows none of this name."""
        try:
            names = read_categories(response.body)
        except UnreadableAnswer:
            names = []
        await self._refuse_category(names)

    async def _refuse_category(self, names: Sequence[str]) -> None:
        words = unknown_category.words_for(str(self.arguments.category), names)
        await self.archive.discovery_is_over(refusal=words)

    async def parse_sitemap(self, response: Response) -> AsyncIterator[Request]:
        """Plan the templates that a sitemap lists, and follow the files that an index lists.

        @inventory
        @returns requests 0 1
        """
        try:
            found = await asyncio.to_thread(read_sitemap, response.body)
        except UnreadableAnswer as error:
            await self._is_not_whole(f"{response.url} could not be read ({error})")
            return
        self.walk.found(map(self.addresses.on_site, found.children), len(found.entries))
        await self._plan(self.selection.pick(found.entries))
        if not self.selection.is_full and (url := self.walk.following()):
            yield self._sitemap_request(url)
        elif self.walk.cut_short and not self.selection.is_full:
            await self._is_not_whole(f"the inventory {self.walk.cut_short}")
        else:
            await self._plan(self.selection.unlisted())
            refusal = await self._complete_plan()
            trouble = None if refusal else self._nothing_listed()
            await self.archive.discovery_is_over(trouble, refusal=refusal)

    async def inventory_failed(self, failure: Failure) -> AsyncIterator[Request]:
        """Try the flat sitemap where there is no index; else say that the list is not whole."""
        if isinstance(failure.value, Stopped):
            return
        request: Request = failure.request  # type: ignore[attr-defined]
        if status_of(failure) == 404 and request.url == self.addresses.inventory:
            yield self._sitemap_request(self.addresses.flat_inventory)
            return
        if request.url == self.addresses.categories:
            await self._refuse_category([])
            return
        words = words_of(failure).rstrip(".")
        if is_unreached(failure) and not (self.archive.planned or self.listed):
            host = urlsplit(request.url).netloc
            await self.archive.discovery_is_over(f"{host} could not be reached ({words}).")
        else:
            await self._is_not_whole(f"{request.url} could not be read ({words})")

    async def _is_not_whole(self, why: str) -> None:
        """Plan nothing more, because of what the site answers."""
        await self.archive.discovery_is_over(f"The list of templates is not whole: {why}.")

    def _nothing_listed(self) -> str | None:
        if self.archive.planned:
            return None
        return f"The inventory of {self.addresses.site} lists no template at all."

    async def _plan(self, planned: Iterable[Planned]) -> None:
        if self.updating:
            self.listed.extend(planned)
        else:
            await self.archive.plan(planned)

    async def _complete_plan(self) -> str | None:
        """See what has changed in the inventory as a whole; say so when the budget is too small."""
        run_id = self.archive.run_id or "none"
        if self.updating:
            return await self._plan_update(run_id)
        if self.arguments.wants_everything and self.archive.planned:
            from n8n_scraper.records import history

            most = RunSettings.from_settings(self.settings).most_removed
            removals = await self.archive.do(
                lambda session: history.note_removals(session, self.source, run_id, most)
            )
            self.archive.doubt = removals.doubt
        return None

    async def _plan_update(self, run_id: str) -> str | None:
        from n8n_scraper.records import history

        most = self.arguments.limit
        if self.spending is not None:
            affordable = self.spending.affordable
            most = affordable if most is None else min(most, affordable)

        share = RunSettings.from_settings(self.settings).most_removed

        def plan(session: Session) -> tuple[int, Removals | None]:
            return history.plan_update(
                session,
                self.source,
                run_id,
                in_order_of_need(self.listed, history.stored(session, self.source)),
                first=self.archive.planned,
                most=most,
                most_removed=share if self.arguments.wants_everything else None,
            )

        planned, removals = await self.archive.do(plan)
        self.archive.planned += planned
        self.archive.doubt = removals.doubt if removals else None
        spent = self.listed and not self.archive.planned
        self.listed = []
        return NOTHING_LEFT if spent else None

    def _first_request(self) -> Request:
        if self.arguments.category:
            return self._search_request(1)
        return self._sitemap_request(self.addresses.inventory)

    def _search_request(self, page: int) -> Request:
        category = self.arguments.category
        if category is None:  # a crawl comes here with one only, `scrapy parse` also without
            raise BadInput("name the category whose next page it is, as in -a category=AI.")
        url = self.addresses.search(category, page)
        return self._inventory_request(url, self.parse_search, expects="json", page=page)

    def _sitemap_request(self, url: str) -> Request:
        self.walk.reading(url)
        return self._inventory_request(url, self.parse_sitemap, expects="xml")

    def _inventory_request(
        self, url: str, callback: Any, *, expects: str, **arguments: Any
    ) -> Request:
        return Request(
            url,
            callback=callback,
            errback=self.inventory_failed,
            cb_kwargs=arguments,
            meta={"expects": expects, NO_WITNESS: True},
            priority=_FIRST,
            dont_filter=True,
        )


def _typed(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what scrapyd adds by itself: `_job` and its like."""
    return {name: value for name, value in arguments.items() if not name.startswith("_")}

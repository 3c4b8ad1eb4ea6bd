"""The spider of n8n.io's workflow templates."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, ClassVar, Self

from scrapy import Request
from scrapy.utils.project import get_project_settings

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.errors import BadInput, UnreadableAnswer
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.crawl.compute.pool import compute_of
from n8n_scraper.crawl.stopping import Stopped
from n8n_scraper.sources.n8n.addresses import MOST_SEARCH_PAGES, SEARCH_ROWS, Addresses
from n8n_scraper.sources.n8n.arguments import TemplateArguments
from n8n_scraper.sources.n8n.pages.categories import read_categories
from n8n_scraper.sources.n8n.pages.search import Listed, read_search
from n8n_scraper.sources.n8n.pages.sitemap import Entry, read_sitemap
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.rules import unknown_category
from n8n_scraper.sources.n8n.rules.chain import Brought, ChainMode, Skip, decides, next_step
from n8n_scraper.sources.n8n.rules.sitemap_walk import SitemapWalk
from n8n_scraper.sources.n8n.source import SOURCE
from n8n_scraper.spiders.failures import status_of
from n8n_scraper.spiders.planned import PlannedSpider

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from n8n_scraper.core.item import Item

_EXPECTS = {Layer.METADATA: "json", Layer.JSON: "json", Layer.EXPLAINER: "page"}


class WorkflowsSpider(PlannedSpider):
    """Crawls the inventory, then three chained requests for each template.

    Arguments: `ids`, `limit`, `category`, `chain`, `mode`, `budget`. Settings: `N8N_SITE_URL`,
    `N8N_API_URL`, `ITEMS_UNDER_WAY`, `MOST_REMOVED`.
    """

    name = SOURCE.spider
    source = SOURCE
    takes: ClassVar[type[TemplateArguments]] = TemplateArguments
    arguments: TemplateArguments
    addresses: Addresses

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.walk = SitemapWalk()

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Read from the settings where the site is."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.addresses = Addresses.from_settings(crawler.settings)
        return spider

    @classmethod
    def handles_request(cls, request: Request) -> bool:
        """Whether `scrapy parse URL` and `scrapy shell URL` mean this spider."""
        return Addresses.from_settings(get_project_settings()).has(request.url)

    @property
    def requests_each(self) -> int:
        """A lean chain asks for the metadata, and on today's site for nothing else."""
        return 1 if self.arguments.chain is ChainMode.LEAN else len(Layer)

    def discover(self) -> Request:
        """Ask for the search where there is a category, else for the sitemap."""
        self.walk = SitemapWalk()
        if self.arguments.category:
            return self._search_request(1)
        return self._sitemap_request(self.addresses.inventory)

    async def parse_search(self, response: Response, page: int = 1) -> AsyncIterator[Request]:
        """Collect the ids of a category, page after page, then look them up in the sitemap.

        @search AI
        @returns requests 1 1
        """
        try:
            found = await asyncio.to_thread(read_search, response.body)
        except UnreadableAnswer as error:
            await self.inventory_is_not_whole(f"{response.url} could not be read ({error})")
            return
        new = self.planning.selection.narrow_to(map(_found, found.templates))
        if not found.total:
            yield self._request(self.addresses.categories, self.parse_categories, expects="json")
        elif page * SEARCH_ROWS >= found.total:
            yield self._sitemap_request(self.addresses.inventory)
        elif new and page < MOST_SEARCH_PAGES:
            yield self._search_request(page + 1)
        else:
            given = page if new else page - 1
            await self.inventory_is_not_whole(
                f"the search gives {given} pages of {found.total} templates"
            )

    async def parse_categories(self, response: Response) -> None:
        """Say which category may have been meant, when the search knows none of this name."""
        try:
            names = read_categories(response.body)
        except UnreadableAnswer:
            names = []
        await self._refuse_category(names)

    async def parse_sitemap(self, response: Response) -> AsyncIterator[Request]:
        """Plan the templates that a sitemap lists, and follow the files that an index lists.

        @inventory
        @returns requests 0 1
        """
        try:
            found = await asyncio.to_thread(read_sitemap, response.body)
        except UnreadableAnswer as error:
            await self.inventory_is_not_whole(f"{response.url} could not be read ({error})")
            return
        self.walk.found(map(self.addresses.on_site, found.children), len(found.entries))
        await self.plan(map(_listed, found.entries))
        is_full = self.planning.selection.is_full
        if not is_full and (url := self.walk.following()):
            yield self._sitemap_request(url)
        elif self.walk.cut_short and not is_full:
            await self.inventory_is_not_whole(f"the inventory {self.walk.cut_short}")
        else:
            await self.inventory_is_whole()

    async def not_had(self, failure: Failure) -> AsyncIterator[Request]:
        """Try the flat sitemap where there is no index; do without the names of categories."""
        url = failure.request.url  # type: ignore[attr-defined]
        if isinstance(failure.value, Stopped):
            return
        if status_of(failure) == 404 and url == self.addresses.inventory:
            yield self._sitemap_request(self.addresses.flat_inventory)
        elif url == self.addresses.categories:
            await self._refuse_category([])
        else:
            await self.inventory_failed(failure)

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        """Read an answer that no run has led to, by its address: `scrapy parse URL`."""
        found = self.addresses.layer_at(response.url)
        if found is None:
            raise BadInput(
                f"{response.url} is no address of a template; "
                "name the callback, as in -c parse_sitemap."
            )
        async for one in self._callbacks[found[0]](response):
            yield one

    async def parse_metadata(
        self, response: Response, dossier: Dossier | None = None
    ) -> AsyncIterator[Any]:
        """Read the metadata, then ask for the JSON.

        @template metadata
        @next json
        """
        yield await self._go_on(Layer.METADATA, response, dossier)

    async def parse_json(
        self, response: Response, dossier: Dossier | None = None
    ) -> AsyncIterator[Any]:
        """Read the importable JSON, then ask for the explainer page.

        @template json
        @next explainer
        """
        yield await self._go_on(Layer.JSON, response, dossier)

    async def parse_explainer(
        self, response: Response, dossier: Dossier | None = None
    ) -> AsyncIterator[Any]:
        """Read the explainer page, and give the finished template.

        @template explainer
        @whole_template
        """
        yield await self._go_on(Layer.EXPLAINER, response, dossier)

    async def next_request(self, dossier: Dossier) -> Request | None:
        """Ask for the next layer; one that is not needed is settled with the reason."""
        while isinstance(
            step := next_step(self.arguments.chain, dossier.parts, await self._brought(dossier)),
            Skip,
        ):
            dossier.settle(step.layer, PartStatus.SKIPPED, step.reason)
        if step is None:
            return None
        url = self.addresses.of(step, dossier.planned)
        return self.part_request(step, dossier, url, self._callbacks[step], expects=_EXPECTS[step])

    async def _go_on(
        self, layer: Layer, response: Response, dossier: Dossier | None
    ) -> Request | Item | None:
        dossier = dossier or self._opened_for(layer, response.url)
        self.take(layer, response, dossier)
        if layer is Layer.METADATA:
            dossier.brought = None  # what an earlier answer said is of no use any more
        return await self.advance(dossier)

    async def _brought(self, dossier: Dossier) -> Brought:
        """Say what a later step depends on; an answer is read for it only where one does."""
        if isinstance(dossier.brought, Brought):
            return dossier.brought
        answer = dossier.answers.get(Layer.METADATA) if Layer.METADATA in dossier.parts else None
        if answer is None or not decides(self.arguments.chain, Layer.METADATA):
            return Brought()
        from n8n_scraper.sources.n8n.pages.first_look import first_look

        dossier.parts[Layer.METADATA], brought = await compute_of(self.crawler).run_small(
            len(answer.body), first_look, dossier.planned, answer
        )
        dossier.brought = brought
        return brought

    def _opened_for(self, layer: Layer, url: str) -> Dossier:
        """Open a dossier for an answer that stands alone: its chain goes on from this layer."""
        found = self.addresses.layer_at(url)
        if found is None or found[0] is not layer:
            raise BadInput(f"{url} is no address of a template's {layer}.")
        dossier = Dossier(found[1], time.monotonic())
        for earlier in takewhile(lambda one: one is not layer, Layer):
            dossier.settle(earlier, PartStatus.SKIPPED, "not asked for: the chain began later")
        return dossier

    @property
    def _callbacks(self) -> dict[Layer, Callable[..., AsyncIterator[Any]]]:
        return {
            Layer.METADATA: self.parse_metadata,
            Layer.JSON: self.parse_json,
            Layer.EXPLAINER: self.parse_explainer,
        }

    async def _refuse_category(self, names: Sequence[str]) -> None:
        words = unknown_category.words_for(str(self.arguments.category), names)
        await self.worker.discovery_is_over(refusal=words)

    def _search_request(self, page: int) -> Request:
        category = self.arguments.category
        if category is None:  # a crawl comes here with one only, `scrapy parse` also without
            raise BadInput("name the category whose next page it is, as in -a category=AI.")
        url = self.addresses.search(category, page)
        return self._request(url, self.parse_search, expects="json", page=page)

    def _sitemap_request(self, url: str) -> Request:
        self.walk.reading(url)
        return self._request(url, self.parse_sitemap, expects="xml")

    def _request(self, url: str, callback: Any, *, expects: str, **arguments: Any) -> Request:
        return self.inventory_request(
            url, callback, expects=expects, errback=self.not_had, **arguments
        )


def _listed(entry: Entry) -> Planned:
    """Say of a template what the sitemap says."""
    return Planned(entry.workflow_id, listing=_known(slug=entry.slug))


def _found(listed: Listed) -> Planned:
    """Say of a template what a search says."""
    said = _known(price=listed.price, purchase_url=listed.purchase_url)
    return Planned(listed.workflow_id, listing=said)


def _known(**said: object) -> dict[str, Any]:
    return {name: value for name, value in said.items() if value is not None}

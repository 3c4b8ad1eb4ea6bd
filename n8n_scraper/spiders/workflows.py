"""The spider of n8n.io's workflow templates."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.utils.project import get_project_settings

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.dossier import Answer, Dossier
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.crawl.compute.pool import ComputeLost, compute_of
from n8n_scraper.crawl.stopping import Stopped
from n8n_scraper.policies.failure.category import NOT_THERE
from n8n_scraper.sources.n8n.addresses import Addresses
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.rules.chain import Brought, Skip, decides, next_step
from n8n_scraper.sources.n8n.source import SOURCE
from n8n_scraper.spiders.failures import category_of, status_of, words_of
from n8n_scraper.spiders.inventory import InventorySpider

if TYPE_CHECKING:
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from n8n_scraper.core.item import Item
    from n8n_scraper.crawl.finishing import Order

_EXPECTS = {Layer.METADATA: "json", Layer.JSON: "json", Layer.EXPLAINER: "page"}
# A template that is nearly through goes before one that has just begun.
_PRIORITY = {Layer.METADATA: 0, Layer.JSON: 1, Layer.EXPLAINER: 2}


class WorkflowsSpider(InventorySpider):
    """Crawls the inventory, then three chained requests for each template.

    Arguments: `ids`, `limit`, `category`, `chain`, `mode`, `budget`. Settings: `N8N_SITE_URL`,
    `N8N_API_URL`, `ITEMS_UNDER_WAY`, `MOST_REMOVED`.
    """

    name = SOURCE.spider
    source = SOURCE

    @classmethod
    def handles_request(cls, request: Request) -> bool:
        """Whether `scrapy parse URL` and `scrapy shell URL` mean this spider."""
        settings = get_project_settings()
        return Addresses.from_settings(settings).has(request.url)

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
        yield await self.advance(await self._take(Layer.METADATA, response, dossier))

    async def parse_json(
        self, response: Response, dossier: Dossier | None = None
    ) -> AsyncIterator[Any]:
        """Read the importable JSON, then ask for the explainer page.

        @template json
        @next explainer
        """
        yield await self.advance(await self._take(Layer.JSON, response, dossier))

    async def parse_explainer(
        self, response: Response, dossier: Dossier | None = None
    ) -> AsyncIterator[Any]:
        """Read the explainer page, and give the finished template.

        @template explainer
        @whole_template
        """
        yield await self.advance(await self._take(Layer.EXPLAINER, response, dossier))

    async def layer_failed(self, failure: Failure) -> AsyncIterator[Any]:
        """Note why a layer could not be had, and go on with the next."""
        if isinstance(failure.value, Stopped):
            return  # the ledger gives the template back
        request: Request = failure.request  # type: ignore[attr-defined]
        dossier: Dossier = request.cb_kwargs["dossier"]
        dossier.requests += _requests_spent(request)
        category = category_of(failure)
        dossier.settle(
            request.meta["layer"],
            PartStatus.MISSING if category in NOT_THERE else PartStatus.FAILED,
            words_of(failure),
            category,
            status_of(failure),
        )
        yield await self.advance(dossier)

    async def advance(self, dossier: Dossier) -> Request | Item | None:
        """Take the next step of a template's chain: a request, or the item when it is through."""
        while isinstance(
            step := next_step(self.arguments.chain, dossier.parts, await self._brought(dossier)),
            Skip,
        ):
            dossier.settle(step.layer, PartStatus.SKIPPED, step.reason)
        if step is not None:
            await self.archive.keep(dossier)
            return self._layer_request(step, dossier)
        return await self._finish(dossier)

    async def _take(self, layer: Layer, response: Response, dossier: Dossier | None) -> Dossier:
        """Keep the answer; read it only if the next step depends on what it says."""
        dossier = dossier or self._opened_for(layer, response.url)
        if response.request is not None:
            dossier.requests += _requests_spent(response.request)
        answer = Answer(layer, response.url, response.status, response.body, utc_now())
        dossier.answers[layer] = answer
        dossier.settle(layer, PartStatus.OK, http_status=response.status)
        if layer is Layer.METADATA:
            dossier.brought = None  # what an earlier answer said is of no use any more
        return dossier

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
            await self.archive.fail(dossier.item_id, State.FAILED, reason)
            return None
        dossier.parts, dossier.written = finished.parts, finished.written
        if finished.item is None:
            await self.archive.close(dossier)
        return finished.item

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

    def _layer_request(self, layer: Layer, dossier: Dossier) -> Request:
        return Request(
            self.addresses.of(layer, dossier.planned),
            callback=self._callbacks[layer],
            errback=self.layer_failed,
            cb_kwargs={"dossier": dossier},
            meta={"layer": layer, "expects": _EXPECTS[layer]},
            priority=_PRIORITY[layer],
            dont_filter=True,
        )

    def _order(self, dossier: Dossier) -> Order:
        from n8n_scraper.core.source import Provenance
        from n8n_scraper.crawl.finishing import Order

        return Order(
            Provenance(
                site=self.addresses.site,
                run_id=self.archive.run_id or "none",
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


def _requests_spent(request: Request) -> int:
    """This request and all that led to it: repeats and redirects."""
    meta = request.meta
    return 1 + int(meta.get("retry_times", 0)) + int(meta.get("redirect_times", 0))

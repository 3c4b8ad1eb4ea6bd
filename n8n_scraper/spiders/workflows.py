"""The spider of n8n.io's workflow templates."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.utils.project import get_project_settings

from n8n_scraper.clock import utc_now
from n8n_scraper.dossier import Answer, Dossier
from n8n_scraper.errors import BadInput, UnreadableAnswer
from n8n_scraper.items import Layer, LayerStatus, Template
from n8n_scraper.pages.layers import read_into
from n8n_scraper.pages.template import assemble
from n8n_scraper.policies.chain import Brought, Skip, next_step
from n8n_scraper.policies.failure import Category, classify
from n8n_scraper.spiders.addresses import Addresses
from n8n_scraper.spiders.failures import category_of, status_of, words_of
from n8n_scraper.spiders.inventory import InventorySpider
from n8n_scraper.stopping import Stopped

if TYPE_CHECKING:
    from scrapy.http import Response
    from twisted.python.failure import Failure

_NOT_THERE = (Category.NOT_FOUND, Category.GONE)
_EXPECTS = {Layer.METADATA: "json", Layer.JSON: "json", Layer.EXPLAINER: "page"}
# A template that is nearly through goes before one that has just begun.
_PRIORITY = {Layer.METADATA: 0, Layer.JSON: 1, Layer.EXPLAINER: 2}


class WorkflowsSpider(InventorySpider):
    """Crawls the inventory, then three chained requests for each template.

    Arguments: `ids`, `limit`, `category`, `chain`, `mode`, `budget`. Settings: `N8N_SITE_URL`,
    `N8N_API_URL`, `N8N_TEMPLATES_UNDER_WAY`, `N8N_MOST_REMOVED`.
    """

    name = "workflows"

    @classmethod
    def handles_request(cls, request: Request) -> bool:
        """Whether `scrapy parse URL` and `scrapy shell URL` mean this spider."""
        settings = get_project_settings()
        return Addresses.parse(settings["N8N_SITE_URL"], settings["N8N_API_URL"]).has(request.url)

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
        yield await self.advance(self._settle(Layer.METADATA, response, dossier))

    async def parse_json(
        self, response: Response, dossier: Dossier | None = None
    ) -> AsyncIterator[Any]:
        """Read the importable JSON, then ask for the explainer page.

        @template json
        @next explainer
        """
        yield await self.advance(self._settle(Layer.JSON, response, dossier))

    async def parse_explainer(
        self, response: Response, dossier: Dossier | None = None
    ) -> AsyncIterator[Any]:
        """Read the explainer page, and give the finished template.

        @template explainer
        @whole_template
        """
        yield await self.advance(self._settle(Layer.EXPLAINER, response, dossier))

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
            LayerStatus.MISSING if category in _NOT_THERE else LayerStatus.FAILED,
            words_of(failure),
            category,
            status_of(failure),
        )
        yield await self.advance(dossier)

    async def advance(self, dossier: Dossier) -> Request | Template | None:
        """Take the next step of a template's chain: a request, or the item when it is through."""
        while isinstance(
            step := next_step(self.arguments.chain, dossier.layers, _brought(dossier)), Skip
        ):
            dossier.settle(step.layer, LayerStatus.SKIPPED, step.reason)
        if step is not None:
            await self.archive.keep(dossier)
            return self._layer_request(step, dossier)
        if dossier.has_data:
            return self._template(dossier)
        await self.archive.close(dossier)
        return None

    def _settle(self, layer: Layer, response: Response, dossier: Dossier | None) -> Dossier:
        """Keep the answer, and settle its layer by whether it can be read."""
        dossier = dossier or self._opened_for(layer, response.url)
        if response.request is not None:
            dossier.requests += _requests_spent(response.request)
        try:
            read_into(
                dossier, Answer(layer, response.url, response.status, response.body, utc_now())
            )
        except UnreadableAnswer as error:
            category = classify(exception=error)
            status = LayerStatus.MISSING if category in _NOT_THERE else LayerStatus.FAILED
            dossier.settle(layer, status, str(error), category, response.status)
        else:
            dossier.settle(layer, LayerStatus.OK, http_status=response.status)
        return dossier

    def _opened_for(self, layer: Layer, url: str) -> Dossier:
        """Open a dossier for an answer that stands alone: its chain goes on from this layer."""
        found = self.addresses.layer_at(url)
        if found is None or found[0] is not layer:
            raise BadInput(f"{url} is no address of a template's {layer}.")
        dossier = Dossier(found[1], time.monotonic())
        for earlier in takewhile(lambda one: one is not layer, Layer):
            dossier.settle(earlier, LayerStatus.SKIPPED, "not asked for: the chain began later")
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

    def _template(self, dossier: Dossier) -> Template:
        return assemble(
            dossier,
            site_url=self.addresses.site,
            run_id=self.archive.run_id or "none",
            scraped_at=utc_now(),
            processing_time=round(time.monotonic() - dossier.started, 3),
        )


def _brought(dossier: Dossier) -> Brought:
    metadata = dossier.metadata
    return Brought(
        workflow=bool(metadata and metadata.workflow),
        explanation=bool(metadata and metadata.description),
    )


def _requests_spent(request: Request) -> int:
    """This request and all that led to it: repeats and redirects."""
    meta = request.meta
    return 1 + int(meta.get("retry_times", 0)) + int(meta.get("redirect_times", 0))

"""The spider of the events of any site: its list, page by page, and the pages of its events."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.utils.project import get_project_settings

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.core.typed_settings import text
from n8n_scraper.crawl.compute.pool import compute_of
from n8n_scraper.crawl.introduction import Introduction
from n8n_scraper.crawl.tools.drafts import Afterwards, Draft, LinkDraft
from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.safety.origin import origin_of
from n8n_scraper.sources.events.source import ADDRESS, DETAIL, LIST, SITE, SOURCE
from n8n_scraper.spiders.arguments import JOINING, CrawlArguments, CrawlMode
from n8n_scraper.spiders.planned import PlannedSpider

if TYPE_CHECKING:
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from n8n_scraper.ledger.ledger import NewRun
    from n8n_scraper.sources.events.by_tool import ByTool
    from n8n_scraper.sources.events.listing import Asked, Listed, Listing
    from n8n_scraper.sources.events.pieces import Piece
    from n8n_scraper.sources_file.entry import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsArguments(CrawlArguments):
    """What every source takes, and the name of a site."""

    site: str | None = None

    @classmethod
    def further(cls, given: Mapping[str, str], mode: CrawlMode) -> dict[str, Any]:
        """Read the name of the site."""
        return {SITE: given.get(SITE)}


@dataclass(frozen=True, slots=True)
class SoFar:
    """How far the pages of a list have been read."""

    pages: int = 1
    events: frozenset[str] = frozenset()
    seen: frozenset[str] = frozenset()
    """The addresses of the pages."""


class EventsSpider(PlannedSpider):
    """Reads the list of a site of the sources file, and the page of each event that has one.

    Arguments: `site`, `ids`, `limit`, `mode`, `budget`. Settings: `EVENTS_URL`, `SOURCES_FILE`,
    `ITEMS_UNDER_WAY`, `MOST_REMOVED`, and what the entry of the site stands for: `TOOLS`,
    `REQUIRED_FIELDS`, `RATE_LIMITS`, the time-outs.
    """

    name = SOURCE.spider
    source = SOURCE
    takes = EventsArguments
    gives_drafts = True
    # A list of what is to come loses what is over, a good part of it within weeks.
    custom_settings = {"MOST_REMOVED": "0.5"}  # noqa: RUF012 - Scrapy's own form

    @classmethod
    def tell_settings(cls, settings: BaseSettings, arguments: Mapping[str, Any]) -> None:
        """Let the crawl be as the entry of its site has it."""
        if SITE in arguments:
            from n8n_scraper.sources.events.told import entry_of, tell

            tell(settings, entry_of(settings, arguments[SITE]))

    @classmethod
    def new_run(cls, settings: BaseSettings, arguments: Mapping[str, Any]) -> NewRun:
        """Say what a crawl of the site is to do; whoever joins a run learns the site from it."""
        if SITE not in arguments and JOINING in arguments:
            return super().new_run(settings, arguments)
        from n8n_scraper.sources.events.told import entry_of

        _check_ids(arguments.get("ids"), entry_of(settings, arguments.get(SITE)).name)
        told = settings.copy()
        told.frozen = False
        cls.tell_settings(told, arguments)
        return super().new_run(told, arguments)

    @classmethod
    def handles_request(cls, request: Request) -> bool:
        """Whether `scrapy parse URL` and `scrapy shell URL` mean this spider."""
        from n8n_scraper.sources_file.sources_file_settings import sources_of

        entries = sources_of(get_project_settings())
        places = {origin_of(one.address) for one in entries if one.kind == SOURCE.name}
        return origin_of(request.url) in places

    @cached_property
    def entry(self) -> Entry:
        """What the sources file says of the site."""
        from n8n_scraper.sources.events.told import entry_of

        return entry_of(self.settings, getattr(self.arguments, SITE))

    @property
    def requests_each(self) -> int:
        """An event comes with the list, unless each has a page that is followed."""
        return 1 if self.entry.follow else 0

    @property
    def is_anonymous(self) -> bool:
        """Whether the real site is asked, and does not learn how to reach whoever asks."""
        is_real = registrable_domain(self.site) == registrable_domain(self.entry.address)
        return is_real and Introduction.from_settings(self.settings).is_anonymous

    def discover(self) -> Request:
        """Ask for the first page of the list."""
        url = text(self.settings, ADDRESS)
        return self._list_request(url, SoFar(seen=frozenset((url,))))

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        """Read a page of the list, as `scrapy parse` asks for one."""
        async for one in self.parse_list(response, SoFar()):
            yield one

    async def parse_list(self, response: Response, so_far: SoFar) -> AsyncIterator[Any]:
        """Read a page of the list; plan its events when no other tool is asked for it."""
        from n8n_scraper.sources.events.answered import answered, data_of
        from n8n_scraper.sources.events.listing import read_list

        page, data = answered(response), data_of(response)
        size = sum(len(one.body) for one in (page, *data))
        listing = await compute_of(self.crawler).run(size, read_list, page, data, self._asked)
        drafts = [
            LinkDraft(one.draft) if one.is_followed else Draft(one.draft) for one in listing.events
        ]
        async for one in self._judged(drafts, partial(self._go_on, response, listing, so_far)):
            yield one

    async def next_request(self, dossier: Dossier) -> Request | None:
        """Ask for the page of the event, where the list has said that it has one."""
        if LIST not in dossier.parts:
            self._not_listed(dossier)
            return None
        if DETAIL in dossier.parts or LIST not in dossier.answers:
            return None
        from n8n_scraper.sources.events.pieces import Piece

        url = Piece.read(dossier.answers[LIST].body).detail
        if url is None:
            reason = "the list says all of it" if self.entry.follow is None else "it has no page"
            dossier.settle(DETAIL, PartStatus.SKIPPED, reason)
            return None
        request = self.part_request(DETAIL, dossier, url, self.parse_detail, expects="html")
        return self._by_tool.of_event(request)

    async def parse_detail(self, response: Response, dossier: Dossier) -> AsyncIterator[Any]:
        """Read the page of an event; keep it when no other tool is asked for it."""
        known = await self._known_by(response, dossier)
        drafts = [Draft(known)] if known else []
        async for one in self._judged(drafts, partial(self._keep, response, dossier)):
            yield one

    async def _judged(
        self, drafts: list[Draft], go_on: Callable[[], AsyncIterator[Any]]
    ) -> AsyncIterator[Any]:
        """Let the ladder judge an answer before it is gone on with; `scrapy parse` has none."""
        if self.worker.run_id is None:
            async for one in go_on():
                yield one
        else:
            for draft in drafts:
                yield draft
            yield Afterwards(go_on)

    async def _known_by(self, response: Response, dossier: Dossier) -> Mapping[str, Any]:
        """Say what would be known of an event by this answer, where somebody has to judge that."""
        if not self._by_tool.decides_by_results:
            return {}
        from n8n_scraper.sources.events.judged import fields_known

        body = self._piece(response).written()
        listed, item_id = dossier.answers[LIST].body, dossier.item_id
        return await compute_of(self.crawler).run(
            len(body) + len(listed), fields_known, item_id, listed, body
        )

    async def _keep(self, response: Response, dossier: Dossier) -> AsyncIterator[Any]:
        kept = response.replace(body=self._piece(response).written())
        self.take(DETAIL, kept, dossier)
        yield await self.advance(dossier)

    def _piece(self, response: Response) -> Piece:
        from n8n_scraper.sources.events.answered import answered
        from n8n_scraper.sources.events.pieces import Piece

        page = answered(response)
        hints = replace(self._asked.hints, encoding=page.encoding)
        return Piece(page.url, page.content_type, hints, page.body)

    async def _go_on(
        self, response: Response, listing: Listing, so_far: SoFar
    ) -> AsyncIterator[Any]:
        """Plan what a page has brought, and ask for the next one."""
        if not listing.events and so_far.pages > 1:
            await self.inventory_is_not_whole(
                f"page {so_far.pages} of it, {response.url}, is empty"
            )
            return
        planned = [_planned(one, response) for one in listing.events]
        if self.worker.run_id is None:  # `scrapy parse`: no run would give them out again
            for one in planned:
                yield await self.advance(Dossier.opened(one, time.monotonic()))
            return
        await self.plan(planned)
        events = so_far.events | {one.item_id for one in planned}
        url = listing.next if listing.next not in so_far.seen else None
        if url and so_far.pages < self.entry.most_pages:
            further = SoFar(so_far.pages + 1, events, so_far.seen | {url})
            yield self._list_request(url, further)
        else:
            await self._is_through(len(events), goes_on=url is not None)

    async def _is_through(self, events: int, *, goes_on: bool) -> None:
        """End the inventory, unless it has fewer events than can be believed."""
        least, pages = self.entry.at_least, self.entry.most_pages
        if events < least:
            has = self.source.noun.so_many(events)
            await self.inventory_is_not_whole(f"it has {has}, and always had {least} at the least")
        elif events and goes_on:
            words = f"The list of {self.entry.name} goes on behind page {pages}"
            await self.inventory_ends_early(f"{words} (`most_pages`): nothing of it is removed.")
        elif events:
            await self.inventory_is_whole()
        elif still := await self._still_to_come():
            has = self.source.noun.so_many(still)
            await self.inventory_is_not_whole(f"it is empty, and {has} of it are still to come")
        else:
            words = f"The list of {self.entry.name} is empty, and nothing of it is known to come."
            await self.worker.discovery_is_over(warning=words)

    async def _still_to_come(self) -> int:
        from n8n_scraper.sources.events.standing import still_to_come

        name, now = self.entry.name, utc_now()
        return await self.worker.store.run(lambda session: still_to_come(session, name, now))

    def _not_listed(self, dossier: Dossier) -> None:
        """Settle an event of which nothing came: it was asked for by its id, or comes again."""
        if dossier.planned.listed:
            reason = "what the list had of it is not kept any more; a new run brings it again"
            dossier.settle(LIST, PartStatus.FAILED, reason, Category.UNKNOWN)
        else:
            dossier.settle(LIST, PartStatus.MISSING, "the list has no such event")

    @cached_property
    def _asked(self) -> Asked:
        from n8n_scraper.sources.events.found import Hints
        from n8n_scraper.sources.events.item import REQUIRED
        from n8n_scraper.sources.events.listing import Asked

        entry = self.entry
        hints = Hints(
            timezone=entry.timezone or "UTC",
            currency=entry.currency,
            selectors=dict(entry.selectors),
            today=datetime.fromisoformat(utc_now()).date(),
        )
        required = tuple(entry.required) or REQUIRED
        return Asked(entry.name, hints, required, entry.follow, entry.next)

    @cached_property
    def _by_tool(self) -> ByTool:
        from n8n_scraper.sources.events.by_tool import ByTool

        return ByTool(self.crawler, self.entry, is_judged=self.worker.run_id is not None)

    def _list_request(self, url: str, so_far: SoFar) -> Request:
        request = self.inventory_request(url, self.parse_list, expects="any", so_far=so_far)
        return self._by_tool.of_list(request)


def _check_ids(ids: str | None, site: str) -> None:
    """Refuse ids of another site, of which this one's list says nothing."""
    from n8n_scraper.sources.events.ids import site_of

    for one in SOURCE.ids_in(ids):
        if site_of(one) != site:
            raise BadInput(f"-a ids={ids}: {one} is an event of another site than {site}.")


def _planned(one: Listed, response: Response) -> Planned:
    answer = Answer(LIST, response.url, response.status, one.piece, utc_now())
    return Planned(
        one.event_id, listing={"title": one.title} if one.title else {}, answers=(answer,)
    )

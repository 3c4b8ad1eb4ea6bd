"""Turn what an inventory lists into the plan of a run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from n8n_scraper.core.dossier import Planned
from n8n_scraper.extensions.spending import NOTHING_LEFT, Spending
from n8n_scraper.spiders.arguments import CrawlArguments, CrawlMode
from n8n_scraper.spiders.selection import Selection, in_order_of_need

if TYPE_CHECKING:
    from n8n_scraper.core.source import Source
    from n8n_scraper.crawl.working import CrawlWorker


class Planning:
    """Plans what is asked for as it is listed; an update has to know all of it before it chooses.

    What the archive has and a whole inventory lacks is removed.
    """

    def __init__(
        self,
        source: Source,
        worker: CrawlWorker,
        arguments: CrawlArguments,
        spending: Spending | None = None,
        *,
        most_removed: float,
    ) -> None:
        self.source = source
        self.worker = worker
        self.arguments = arguments
        self.most_removed = most_removed
        self.spending = spending
        self.warning: str | None = None
        """What of the inventory was not believed."""
        self.updating = arguments.mode is CrawlMode.UPDATE
        self.selection = Selection(arguments.ids, None if self.updating else arguments.limit)
        self._listed: list[Planned] = []

    @property
    def is_empty(self) -> bool:
        """Whether nothing has come up yet."""
        return not (self._planned or self._listed)

    async def take(self, listed: Iterable[Planned]) -> None:
        """Take from a part of the inventory what is asked for."""
        await self._add(self.selection.pick(listed))

    async def complete(self) -> str | None:
        """Take what the whole inventory has left open; say so when the budget is too small."""
        await self._add(self.selection.unlisted())
        if self.updating:
            return await self._plan_update()
        if self.arguments.wants_everything and self._planned:
            await self._note_removals()
        return None

    async def _add(self, planned: list[Planned]) -> None:
        if self.updating:
            self._listed.extend(planned)
        else:
            await self.worker.plan(planned)

    async def _note_removals(self) -> None:
        from n8n_scraper.records import history

        source, run_id, most = self.source, self._run, self.most_removed
        removals = await self.worker.plan_by(
            lambda session, _: history.note_removals(session, source, run_id, most)
        )
        self.warning = removals.doubt if removals else None

    async def _plan_update(self) -> str | None:
        from n8n_scraper.records import history

        source, most = self.source, await self._most()
        share = self.most_removed if self.arguments.wants_everything else None
        removals = await self.worker.plan_by(
            lambda session, first: history.plan_update(
                session,
                source,
                self._run,
                in_order_of_need(self._listed, history.stored(session, source)),
                first=first,
                most=most,
                most_removed=share,
            )
        )
        self.warning = removals.doubt if removals else None
        spent = self._listed and not self._planned
        self._listed = []
        return NOTHING_LEFT if spent else None

    async def _most(self) -> int | None:
        """How many items an update may choose."""
        affordable = await self.spending.affordable() if self.spending else None
        given = (self.arguments.limit, affordable)
        return min((most for most in given if most is not None), default=None)

    @property
    def _planned(self) -> int:
        return self.worker.run.planned if self.worker.run_id else 0

    @property
    def _run(self) -> str:
        return self.worker.run_id or "none"

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
    from n8n_scraper.ledger.worker import Worker


class Planning:
    """Plans what is asked for as it is listed; an update has to know all of it before it chooses.

    What the archive has and a whole inventory lacks is removed.
    """

    def __init__(
        self,
        source: Source,
        worker: Worker,
        arguments: CrawlArguments,
        *,
        most_removed: float,
    ) -> None:
        self.source = source
        self.worker = worker
        self.arguments = arguments
        self.most_removed = most_removed
        self.spending: Spending | None = None
        self.updating = arguments.mode is CrawlMode.UPDATE
        self.selection = Selection(arguments.ids, None if self.updating else arguments.limit)
        self._listed: list[Planned] = []

    @property
    def is_empty(self) -> bool:
        """Whether nothing has come up yet."""
        return not (self.worker.planned or self._listed)

    async def take(self, listed: Iterable[Planned]) -> None:
        """Take from a part of the inventory what is asked for."""
        await self._add(self.selection.pick(listed))

    async def complete(self) -> str | None:
        """Take what the whole inventory has left open; say so when the budget is too small."""
        await self._add(self.selection.unlisted())
        if self.updating:
            return await self._plan_update()
        if self.arguments.wants_everything and self.worker.planned:
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
        removals = await self.worker.do(
            lambda session: history.note_removals(session, source, run_id, most)
        )
        self.worker.doubt = removals.doubt

    async def _plan_update(self) -> str | None:
        from n8n_scraper.records import history

        source, first, most = self.source, self.worker.planned, self._most
        share = self.most_removed if self.arguments.wants_everything else None
        planned, removals = await self.worker.do(
            lambda session: history.plan_update(
                session,
                source,
                self._run,
                in_order_of_need(self._listed, history.stored(session, source)),
                first=first,
                most=most,
                most_removed=share,
            )
        )
        self.worker.planned += planned
        self.worker.doubt = removals.doubt if removals else None
        spent = self._listed and not self.worker.planned
        self._listed = []
        return NOTHING_LEFT if spent else None

    @property
    def _most(self) -> int | None:
        """How many items an update may choose."""
        given = (self.arguments.limit, self.spending.affordable if self.spending else None)
        return min((most for most in given if most is not None), default=None)

    @property
    def _run(self) -> str:
        return self.worker.run_id or "none"

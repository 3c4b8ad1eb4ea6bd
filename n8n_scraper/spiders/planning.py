"""Turn what an inventory lists into the plan of a run."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from n8n_scraper.core.dossier import Planned
from n8n_scraper.extensions.spending import NOTHING_LEFT, Spending
from n8n_scraper.spiders.arguments import CrawlArguments, CrawlMode
from n8n_scraper.spiders.selection import Selection, in_order_of_need

if TYPE_CHECKING:
    from n8n_scraper.core.source import Division, Source
    from n8n_scraper.crawl.working import CrawlWorker
    from n8n_scraper.ledger.takedowns import Takedown

logger = logging.getLogger(__name__)

_NAMED = 10
"""How many of those that are left out are named."""


class Planning:
    """Plans what is asked for as it is listed; an update has to know all of it before it chooses.

    What the archive has and a whole inventory lacks is removed: of the division that the crawl is
    about, where it is not about all that the source has.
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
        self._came_up = 0
        """How much has come up, be it that an earlier process of the run has planned it already."""
        self._taken_down: dict[str, Takedown] | None = None
        self._left_out: dict[str, Takedown] = {}

    @property
    def division(self) -> Division | None:
        """What the inventory speaks of; None where that is all that the source has."""
        return self.source.division(self.worker.run.arguments) if self.worker.run_id else None

    @property
    def is_empty(self) -> bool:
        """Whether nothing has come up yet."""
        return not (self._planned or self._came_up)

    async def take(self, listed: Iterable[Planned]) -> None:
        """Take from a part of the inventory what is asked for."""
        await self._add(self.selection.pick(await self._allowed(listed)))

    async def complete(self, *, is_whole: bool = True) -> str | None:
        """Take what the inventory has left open; say so when the budget is too small.

        By one that is not whole, because it was read no further, nothing is removed.
        """
        asked_for = await self._allowed(self.selection.unlisted())
        await self._add(asked_for)
        if self._left_out:
            logger.warning("%s", self._words())
            if self.is_empty:
                return self._words()
        if self.updating:
            return await self._plan_update(is_whole=is_whole)
        if is_whole and self.arguments.wants_everything and not self.is_empty:
            await self._note_removals()
        return None

    async def _allowed(self, listed: Iterable[Planned]) -> list[Planned]:
        """Leave out what was taken down; the ledger would not take it either."""
        if self._taken_down is None:
            self._taken_down = await self._what_was_taken_down()
        entries = list(listed)
        for one in entries:
            if note := self._taken_down.get(one.item_id):
                self._left_out[one.item_id] = note
        return [one for one in entries if one.item_id not in self._taken_down]

    async def _what_was_taken_down(self) -> dict[str, Takedown]:
        from n8n_scraper.ledger import takedowns

        if self.worker.run_id is None:
            return {}
        name = self.source.name
        notes = await self.worker.store.run(lambda session: takedowns.noted(session, name))
        return {note.item_id: note for note in notes}

    def _words(self) -> str:
        notes, noun = list(self._left_out.values()), self.source.noun
        named = ", ".join(f"{one.item_id} ({one.at[:10]}: {one.why})" for one in notes[:_NAMED])
        more = ", …" if len(notes) > _NAMED else ""
        return (
            f"{noun.so_many(len(notes))} not collected, because taken down: {named}{more}. "
            "`scrapy takedown --undo ID` lets one be collected again."
        )

    async def _add(self, planned: list[Planned]) -> None:
        self._came_up += len(planned)
        if self.updating:
            self._listed.extend(planned)
        else:
            await self.worker.plan(planned)

    async def _note_removals(self) -> None:
        from n8n_scraper.records import history

        source, run_id, most, of = self.source, self._run, self.most_removed, self.division
        removals = await self.worker.plan_by(
            lambda session, _: history.note_removals(session, source, run_id, most, of)
        )
        self.warning = removals.doubt if removals else None

    async def _plan_update(self, *, is_whole: bool) -> str | None:
        from n8n_scraper.records import history

        source, most = self.source, await self._most()
        share = self.most_removed if is_whole and self.arguments.wants_everything else None
        removals = await self.worker.plan_by(
            lambda session, first: history.plan_update(
                session,
                source,
                self._run,
                in_order_of_need(self._listed, history.stored(session, source)),
                first=first,
                most=most,
                most_removed=share,
                of=self.division,
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

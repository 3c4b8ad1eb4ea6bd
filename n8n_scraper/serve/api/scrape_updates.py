"""Reports on the items of scrape runs, and the end of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.errors import BadInput
from n8n_scraper.ledger import orchestrated
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.orchestrated import Word
from n8n_scraper.policies.run.reported import report_of
from n8n_scraper.reports.scrape_runs import scrape_items, source_of_run
from n8n_scraper.serve.api.models.scrape_answers import (
    RefusedUpdate,
    ScrapeItemAnswer,
    ScrapeRunAnswer,
    UpdateAnswer,
    UpdatesAnswer,
)
from n8n_scraper.serve.api.models.scrape_runs import (
    Changes,
    Finalize,
    Finish,
    ItemUpdate,
    ItemUpdates,
    ScrapeRunPath,
    UpdatedItem,
)
from n8n_scraper.serve.api.moments import stored_moment
from n8n_scraper.serve.api.operation import Asked, Nothing, Operation
from n8n_scraper.serve.api.ordering import Sources
from n8n_scraper.serve.api.scrape_answering import sources_of, whole_run
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.options import OPTIONS

_FLAGS = ("done", "failed", "invalid")

Patched: TypeAlias = Asked[ScrapeRunPath, Nothing, ItemUpdate | ItemUpdates | Finish | Finalize]


async def change_scrape_run(asked: Patched) -> ScrapeRunAnswer | UpdateAnswer | UpdatesAnswer:
    """Note what has become of items, or that the run is over."""
    if isinstance(asked.body, ItemUpdate):
        return await _report(asked, asked.body.update_item)
    if isinstance(asked.body, ItemUpdates):
        return await _report_all(asked, asked.body.update_items)
    return await _finalise(asked, asked.body)


async def _report(asked: Patched, update: UpdatedItem) -> UpdateAnswer:
    archive, sources, run_id = asked.app[ARCHIVE], sources_of(asked), asked.path.run
    source = await archive.look(source_of_run, run_id)
    word = _word(update, source, sources)
    await archive.change(_note, run_id, word, asked.app[OPTIONS].item_attempts)
    [item] = await archive.look(scrape_items, run_id, [word.planned.item_id])
    answer = ScrapeItemAnswer.of(item, sources.url_of(source, item))
    return UpdateAnswer(mongo_id=run_id, id=run_id, item=answer)


async def _report_all(asked: Patched, updates: Sequence[UpdatedItem]) -> UpdatesAnswer:
    archive, sources, run_id = asked.app[ARCHIVE], sources_of(asked), asked.path.run
    source = await archive.look(source_of_run, run_id)
    words = [_word(update, source, sources) for update in updates]
    refused = await archive.change(_note_all, run_id, words, asked.app[OPTIONS].item_attempts)
    items = await archive.look(scrape_items, run_id, [word.planned.item_id for word in words])
    return UpdatesAnswer(
        mongo_id=run_id,
        id=run_id,
        items=[ScrapeItemAnswer.of(one, sources.url_of(source, one)) for one in items],
        refused=[
            RefusedUpdate(
                url=one.planned.url or one.planned.item_id, item=one.planned.item_id, detail=one.why
            )
            for one in refused
        ],
    )


async def _finalise(asked: Patched, body: Finish | Finalize) -> ScrapeRunAnswer:
    if isinstance(body, Finalize) and not body.finalize:
        raise BadInput("`finalize: true` ends a run; false says nothing.")
    archive, run_id = asked.app[ARCHIVE], asked.path.run
    await archive.change(_end, run_id, stored_moment(body.end_time), dict(body.metadata or {}))
    return await whole_run(archive, sources_of(asked), run_id)


def _note(database: Database, run_id: str, word: Word, most: int) -> None:
    database.do(lambda session: orchestrated.report(session, run_id, word, most_attempts=most))


def _note_all(
    database: Database, run_id: str, words: Sequence[Word], most: int
) -> list[orchestrated.Refused]:
    return database.do(
        lambda session: orchestrated.report_all(session, run_id, words, most_attempts=most)
    )


def _end(
    database: Database, run_id: str, ended_at: str | None, metadata: dict[str, object]
) -> None:
    database.do(lambda session: orchestrated.finalise(session, run_id, ended_at, metadata))


def _named(update: UpdatedItem, source: str, sources: Sources) -> Planned:
    if update.url is not None and update.item is None:
        return sources.item(source, update.url)
    if update.item is not None and update.url is None:
        return Planned(update.item)
    raise BadInput("updateItem needs the `url` of an item, or its id as `item`.")


def _word(update: UpdatedItem, source: str, sources: Sources) -> Word:
    if update.changes is not None and _flags(update):
        raise BadInput("updateItem has its flags in `changes` or beside it, not in both places.")
    changes = update.changes or update
    flags = _flags(changes)
    if not flags:
        raise BadInput("updateItem says nothing of the item: write done, failed or invalid.")
    said = report_of([name for name, is_set in flags.items() if is_set])
    planned = _named(update, source, sources)
    return Word(planned, said, changes.failed_reason or changes.fail_reason)


def _flags(changes: Changes) -> dict[str, bool]:
    return {name: value for name in _FLAGS if (value := getattr(changes, name)) is not None}


OPERATIONS = (
    Operation(
        "PATCH",
        "/api/scrape-runs/{run}",
        "Report on an item, or finalise the run",
        change_scrape_run,
        (ScrapeRunAnswer, UpdateAnswer, UpdatesAnswer),
        path_parameters=ScrapeRunPath,
        body={
            "updateItem": ItemUpdate,
            "updateItems": ItemUpdates,
            "status": Finish,
            "finalize": Finalize,
        },
    ),
)

"""The contract of scrape runs, over our ledger."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, TypeAlias

from n8n_scraper.core.errors import BadInput, NoArchive
from n8n_scraper.core.source import FOREIGN
from n8n_scraper.ledger import orchestrated
from n8n_scraper.ledger.admission import admit
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.orchestrated import Created, Order
from n8n_scraper.policies.run.run_settings import RunSettings
from n8n_scraper.reports.scrape_runs import (
    Found,
    Stage,
    Wanted,
    scrape_run,
    scrape_runs,
)
from n8n_scraper.serve.api.models.scrape_answers import (
    Pagination,
    ScrapeRunAnswer,
    ScrapeRunHead,
    ScrapeRunsAnswer,
    head_of,
)
from n8n_scraper.serve.api.models.scrape_runs import (
    CreationHeaders,
    NewScrapeRun,
    ScrapeRunItemsQuery,
    ScrapeRunPath,
    ScrapeRunQuery,
)
from n8n_scraper.serve.api.models.shared import UNSET
from n8n_scraper.serve.api.moments import stored_moment
from n8n_scraper.serve.api.operation import Asked, Nothing, Operation, Replied
from n8n_scraper.serve.api.scrape_answering import answer_of, sources_of, whole_run
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.options import OPTIONS

_STAGES = {
    **{str(stage): stage for stage in Stage},
    "created": Stage.PENDING,
    "finished": Stage.COMPLETED,
}
"""The words for how far a run is, those of other servers too."""


Wished: TypeAlias = Asked[Nothing, Nothing, NewScrapeRun]
Listed: TypeAlias = Asked[Nothing, ScrapeRunQuery, Nothing]
Got: TypeAlias = Asked[ScrapeRunPath, ScrapeRunItemsQuery, Nothing]


async def create_scrape_run(asked: Wished) -> Replied:
    """Enter a run; its items are pending, and whoever works on it takes them from there."""
    archive, sources = asked.app[ARCHIVE], sources_of(asked)
    key = asked.headers.idempotency_key
    order = await asyncio.to_thread(sources.order, asked.body, None if key is UNSET else key)
    other_site = RunSettings.from_settings(asked.app[OPTIONS].told).other_site
    created: Created = await archive.change(_create, order, other_site)
    answer = await whole_run(archive, sources, created.run_id)
    status = HTTPStatus.CREATED if created.is_new else HTTPStatus.OK
    return Replied(answer, status, {"Location": f"/api/scrape-runs/{created.run_id}"})


async def list_scrape_runs(asked: Listed) -> ScrapeRunsAnswer:
    """Give a page of the runs, crawls of ours among them."""
    query = asked.query
    if query.page is not UNSET and query.offset is not UNSET:
        raise BadInput("page and offset exclude each other; give one of them.")
    offset = (query.page - 1) * query.limit if query.page is not UNSET else query.offset or 0
    wanted = Wanted(
        domain=None if query.domain is UNSET else sources_of(asked).domain(query.domain),
        stage=None if query.status is UNSET else _STAGES[query.status],
        started_after=stored_moment(query.start_time_after),
        started_until=stored_moment(query.until),
        sorted_by=query.sort_by,
        descending=query.sort_order == "desc",
        limit=query.limit,
        offset=offset,
    )
    try:
        found = await asked.app[ARCHIVE].look(scrape_runs, wanted)
    except NoArchive:  # whoever asks before the first run asks for none
        found = Found()
    return ScrapeRunsAnswer(
        data=[ScrapeRunHead(**head_of(run)) for run in found.runs],
        pagination=Pagination(
            current_page=offset // query.limit + 1,
            total_pages=-(-found.total // query.limit),
            total_items=found.total,
            limit=query.limit,
        ),
    )


async def get_scrape_run(asked: Got) -> ScrapeRunAnswer:
    """Give a run with its items: what is pending comes first."""
    query = asked.query
    run = await asked.app[ARCHIVE].look(
        scrape_run,
        asked.path.run,
        most_items=query.items_limit,
        stage=None if query.items is UNSET else query.items,
    )
    return answer_of(run, sources_of(asked))


def _create(database: Database, order: Order, other_site: bool) -> Created:
    def work(session: Any) -> Created:
        if order.new.source != FOREIGN:  # whose items are stored by nobody here
            admit(session, order.new, None, database.name, other_site=other_site)
        return orchestrated.create(session, order)

    return database.do(work)


OPERATIONS = (
    Operation(
        "POST",
        "/api/scrape-runs",
        "Create a run",
        create_scrape_run,
        (ScrapeRunAnswer,),
        headers=CreationHeaders,
        body={"domain": NewScrapeRun},
        created=True,
    ),
    Operation(
        "GET",
        "/api/scrape-runs",
        "List runs, page by page",
        list_scrape_runs,
        (ScrapeRunsAnswer,),
        query=ScrapeRunQuery,
        problems=(HTTPStatus.UNPROCESSABLE_ENTITY,),
    ),
    Operation(
        "GET",
        "/api/scrape-runs/{run}",
        "Get a run with its items",
        get_scrape_run,
        (ScrapeRunAnswer,),
        path_parameters=ScrapeRunPath,
        query=ScrapeRunItemsQuery,
    ),
)

"""What answers about scrape runs have in common."""

from __future__ import annotations

from typing import Any

from n8n_scraper.reports.scrape_runs import ScrapeRun, scrape_run
from n8n_scraper.serve.api.models.scrape_answers import ScrapeItemAnswer, ScrapeRunAnswer, head_of
from n8n_scraper.serve.api.operation import Asked
from n8n_scraper.serve.api.ordering import Sources
from n8n_scraper.serve.archive import Archive
from n8n_scraper.serve.options import OPTIONS

_ITEMS_TOLD = 1_000


async def whole_run(archive: Archive, sources: Sources, run_id: str) -> ScrapeRunAnswer:
    """Give a run with its items, as far as there is room for them."""
    run = await archive.look(scrape_run, run_id, most_items=_ITEMS_TOLD)
    return answer_of(run, sources)


def answer_of(run: ScrapeRun, sources: Sources) -> ScrapeRunAnswer:
    """Tell a run with the items that were asked for."""
    items = [ScrapeItemAnswer.of(one, sources.url_of(run.source, one)) for one in run.items]
    return ScrapeRunAnswer(
        **head_of(run), items=items, items_left_out=run.wanted_items - len(items)
    )


def sources_of(asked: Asked[Any, Any, Any]) -> Sources:
    """Give the sources, where the settings say that they are."""
    options = asked.app[OPTIONS]
    return Sources(options.told, options.kept)

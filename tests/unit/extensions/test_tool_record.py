"""What a tool has brought is remembered from one crawl to the next."""

import asyncio
from pathlib import Path

from scrapy import Request
from scrapy.utils.test import get_crawler

from n8n_scraper.crawl.tools.ladder import ladder_of
from n8n_scraper.extensions.tool_record import ToolRecord
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.tools.coverage import coverage_of
from n8n_scraper.policies.tools.ladder import Tool
from n8n_scraper.reports.tools import tool_reports


def a_crawl(url: str, *brought: tuple[str, str | None]) -> tuple[Tool, ...]:
    """Note what tools brought for a title, and give the order in which a crawl began."""
    crawler = get_crawler(
        settings_dict={
            "DATABASE_URL": url,
            "TOOLS": "http,devtools,playwright",
            "REQUIRED_FIELDS": "title",
        }
    )
    record = ToolRecord.from_crawler(crawler)

    async def work() -> tuple[Tool, ...]:
        await record.run_started()
        order = ladder_of(crawler).order()
        for tool, title in brought:
            request = Request("https://site.example/", meta={"tool": tool, "tool_seconds": 2.0})
            ladder_of(crawler).note(request, coverage_of([{"title": title}], ["title"]))
        await record.store.settle()
        return order

    try:
        return asyncio.run(work())
    finally:
        record.store.database.close()


def test_a_tool_that_did_well_goes_first_in_the_next_crawl(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    database = Database(url)
    database.open()

    first = a_crawl(url, ("http", None), *[("devtools", "a title")] * 3)
    second = a_crawl(url)

    assert first == (Tool.HTTP, Tool.DEVTOOLS, Tool.PLAYWRIGHT)
    assert second == (Tool.DEVTOOLS, Tool.PLAYWRIGHT, Tool.HTTP)
    http, devtools = tool_reports(database, "default")
    database.close()
    assert (http.coverage, devtools.coverage, devtools.items) == (0.0, 1.0, 3)

"""The contract of scrape runs: runs and items as programs elsewhere read them.

Both spellings are in use there for ids, times and reasons: all of them are answered.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from msgspec import Meta, field

from n8n_scraper.reports.scrape_runs import ItemCounts, ItemStage, ScrapeItem, ScrapeRun
from n8n_scraper.serve.api.models.shared import Answer


class ScrapeItemAnswer(Answer):
    """An item of a run."""

    url: str
    item: Annotated[str, Meta(description="Its id.")]
    done: bool
    failed: bool
    invalid: bool
    failed_reason: str | None = field(name="failedReason")
    fail_reason: str | None = field(name="failReason")
    attempts: int

    @classmethod
    def of(cls, item: ScrapeItem, url: str) -> Self:
        """Tell of an item."""
        return cls(
            url=url,
            item=item.item_id,
            done=item.stage is ItemStage.DONE,
            failed=item.stage is ItemStage.FAILED,
            invalid=item.stage is ItemStage.INVALID,
            failed_reason=item.reason,
            fail_reason=item.reason,
            attempts=item.attempts,
        )


class Statistics(Answer):
    """How many items of a run are how far."""

    total: int
    pending: Annotated[int, Meta(description="Not completed, not failed, not invalid.")]
    completed: int
    failed: int
    invalid: int

    @classmethod
    def of(cls, counts: ItemCounts) -> Self:
        """Tell the figures."""
        return cls(
            total=counts.total,
            pending=counts.pending,
            completed=counts.done,
            failed=counts.failed,
            invalid=counts.invalid,
        )


class ScrapeRunHead(Answer):
    """A run without its items."""

    mongo_id: str = field(name="_id")
    id: str
    domain: str
    source: str
    status: Literal["pending", "processing", "completed", "failed"]
    start_time: str = field(name="startTime")
    end_time: str | None = field(name="endTime")
    created_at: str = field(name="createdAt")
    updated_at: str = field(name="updatedAt")
    start_time_snake: str = field(name="start_time")
    end_time_snake: str | None = field(name="end_time")
    created_at_snake: str = field(name="created_at")
    updated_at_snake: str = field(name="updated_at")
    metadata: dict[str, str | bool | int | float | None]
    statistics: Statistics


class ScrapeRunAnswer(ScrapeRunHead):
    """A run with its items."""

    items: list[ScrapeItemAnswer]
    items_left_out: Annotated[
        int, Meta(description="How many more it has that were wanted: the limit left them out.")
    ] = field(name="itemsLeftOut")


class UpdateAnswer(Answer):
    """A run and its item after a report."""

    mongo_id: str = field(name="_id")
    id: str
    item: ScrapeItemAnswer


class RefusedUpdate(Answer):
    """A report that cannot hold."""

    url: str
    item: str
    detail: Annotated[str, Meta(description="One sentence for a person.")]


class UpdatesAnswer(Answer):
    """A run and its items after reports on several."""

    mongo_id: str = field(name="_id")
    id: str
    items: list[ScrapeItemAnswer]
    refused: list[RefusedUpdate]


class Pagination(Answer):
    """Which page this is."""

    current_page: int = field(name="currentPage")
    total_pages: int = field(name="totalPages")
    total_items: int = field(name="totalItems")
    limit: int


class ScrapeRunsAnswer(Answer):
    """A page of runs."""

    data: list[ScrapeRunHead]
    pagination: Pagination


def head_of(run: ScrapeRun) -> dict[str, Any]:
    """Give the fields of a run's answer but for its items."""
    counts = run.counts
    told = {
        "started_at": run.started_at,
        "finished_at": run.ended_at,
        "finished_count": counts.done,
        "total_count": counts.total,
        "failed_count": counts.failed,
    }
    times = {
        "start_time": run.started_at,
        "end_time": run.ended_at,
        "created_at": run.started_at,
        "updated_at": run.updated_at,
    }
    return {
        "mongo_id": run.run_id,
        "id": run.run_id,
        "domain": run.domain,
        "source": run.asked_source or run.source,
        "status": str(run.stage),
        **times,
        **{f"{name}_snake": moment for name, moment in times.items()},
        "metadata": {**told, **run.metadata},
        "statistics": Statistics.of(counts),
    }

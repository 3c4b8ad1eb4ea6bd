"""What is done with n8n.io's templates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from n8n_scraper.core.source import Issues, ItemKind, Record, Rereading, Samples, Videos
from n8n_scraper.sources.n8n.asking import ASKING
from n8n_scraper.sources.n8n.item import Template, broken_promises
from n8n_scraper.sources.n8n.pages.layers import settle
from n8n_scraper.sources.n8n.pages.template import assemble, places
from n8n_scraper.sources.n8n.rules.carry_over import carry_over
from n8n_scraper.sources.n8n.rules.change import AUTHORED
from n8n_scraper.sources.n8n.rules.computed import COMPUTED
from n8n_scraper.sources.n8n.rules.likeness import LIKENESS
from n8n_scraper.sources.n8n.rules.rereading import refresh, reopen
from n8n_scraper.sources.n8n.rules.secrets import KEPT
from n8n_scraper.sources.n8n.searched import SEARCHED

if TYPE_CHECKING:
    from sqlalchemy import Table

    from n8n_scraper.sources.n8n.rules.quality_report import QualityReport


@cache
def _table() -> Table:
    from n8n_scraper.ledger.tables import table_of  # reading an item needs no database
    from n8n_scraper.sources.n8n.tables import WorkflowRow

    return table_of(WorkflowRow)


@cache
def _view_samples() -> Table:
    from n8n_scraper.ledger.tables import table_of
    from n8n_scraper.sources.n8n.tables import ViewSampleRow

    return table_of(ViewSampleRow)


def _row(template: Template) -> dict[str, Any]:
    quality = template.quality
    # The workflow is JSON as it came: to walk through all of it would take longer than the rest.
    return template.model_dump(mode="json", exclude={"workflow"}) | {
        "workflow": template.workflow,
        "quality_score": quality.score if quality else None,
        "quality_grade": quality.grade if quality else None,
    }


def _views(record: Record) -> dict[str, Any] | None:
    if record["views"] is None and record["recent_views"] is None:
        return None
    columns = ("workflow_id", "views", "recent_views", "run_id")
    return {name: record[name] for name in columns} | {"at": record["scraped_at"]}


def _explain(template: Template) -> QualityReport:
    from n8n_scraper.sources.n8n.rules.quality_report import quality_report

    return quality_report(template)


def _issues(quality: dict[str, Any] | None) -> list[str]:
    found = quality["issues"] if quality else ()
    # Behind a colon stands what is particular to the template.
    return [f"{issue['layer']}: {issue['message'].partition(':')[0]}" for issue in found]


def _shown(template: Template) -> Iterator[str]:
    from n8n_scraper.sources.n8n.shown import shown  # one command has use for it

    return shown(template)


def _video_ids(videos: list[dict[str, Any]] | None) -> list[str]:
    return [video["video_id"] for video in videos or ()]


def _pictures(template: Template) -> list[str]:
    return [image.url for image in template.images or ()]


KIND = ItemKind(
    item=Template,
    read=settle,
    assemble=assemble,
    computed=COMPUTED,
    promises=broken_promises,
    table=_table,
    row=_row,
    authored=AUTHORED,
    carry_over=carry_over,
    rereading=Rereading(reopen, refresh),
    listed=("slug",),
    samples=Samples(_view_samples, _views),
    explain=_explain,
    issues=Issues(found_in="quality", words=_issues),
    videos=Videos(named_in="videos", ids=_video_ids, words_in="transcripts"),
    pictures=_pictures,
    shown_in="images",
    likeness=LIKENESS,
    places=places,
    asking=ASKING,
    shown=_shown,
    searched=SEARCHED,
    kept=KEPT,
)

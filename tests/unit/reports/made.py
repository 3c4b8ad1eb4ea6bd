"""A run as it stands at one moment, made by hand."""

from dataclasses import replace

from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.policies.run.progress import BucketLevel, LeftAlone
from n8n_scraper.policies.run.standing import Standing
from n8n_scraper.reports.runs import RunReport

LIVE = RunReport(
    run_id="20251011T183000-ab12",
    spider="workflows",
    source="n8n",
    site="https://n8n.io",
    arguments={"category": "Lead Generation"},
    jobdir="state",
    command="scrapy crawl workflows -a 'category=Lead Generation' -s JOBDIR=state -s A=5",
    status="running",
    standing=Standing.LIVE,
    owner="box:4711:c0ffee",
    started_at="2025-10-11T18:30:00.123Z",
    ended_at=None,
    end_reason=None,
    exit_status=None,
    counts=Counts(
        {"complete": 38, "partial": 0, "gone": 1, "blocked": 0, "failed": 1}, unsettled=1, left=60
    ),
    elapsed_seconds=60.0,
    templates_per_second=2 / 3,
    seconds_left=90.0,
    bucket=BucketLevel(0.3, 5, 2.0),
    left_alone=(LeftAlone("n8n.io", 40.0),),
)
STALE = replace(LIVE, standing=Standing.STALE, templates_per_second=None, seconds_left=None)
STOPPED = replace(
    STALE,
    standing=Standing.ENDED,
    status="stopped",
    exit_status=4,
    ended_at="2025-10-11T18:31:00.000Z",
)
ALL_ENDED = replace(STOPPED.counts, left=0)

"""An error of our own costs one template, never the crawl, and never passes for success."""

from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from tests.crawling import PROJECT, crawl, rows

BROKEN = """
from n8n_scraper.sources.n8n.item import Template

class BrokenPipeline:
    def process_item(self, item):
        if isinstance(item, Template) and item.workflow_id == "{wrong}":
            {fault}
        return item
"""


@pytest.mark.parametrize(
    ("fault", "state"),
    [
        ("raise ZeroDivisionError('a pipeline of somebody else')", "failed"),
        pytest.param("item.title = None", "invalid", marks=pytest.mark.further),
    ],
)
def test_a_pipeline_that_breaks_on_one_template_costs_that_one_only(
    fault: str, state: str, stand_in: RunningStandIn, tmp_path: Path
) -> None:
    url, wrong = f"sqlite:///{tmp_path}/a.db", str(stand_in.ids[2])
    (tmp_path / "broken.py").write_text(BROKEN.format(wrong=wrong, fault=fault))

    ran = crawl(
        stand_in, url, "-a", "limit=5", "-s", 'ITEM_PIPELINES={"broken.BrokenPipeline": 50}',
        PYTHONPATH=f"{tmp_path}:{PROJECT}",
    )  # fmt: skip

    assert ran.status == 3
    assert rows(url, "SELECT item_id, outcome FROM scrape_run_items WHERE state <> 'done'") == [
        (wrong, "failed")
    ]
    assert rows(url, "SELECT DISTINCT state FROM scrape_run_items WHERE outcome = 'failed'") == [
        (state,)
    ]
    assert rows(url, "SELECT count(*) FROM workflows") == [(4,)]

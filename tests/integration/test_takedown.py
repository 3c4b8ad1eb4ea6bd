"""A template that was taken down is not asked for again, whatever is typed."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.crawling import crawl, rows, scrapy

if TYPE_CHECKING:
    from n8n_scraper.sources.n8n.replica.running import RunningStandIn

pytestmark = pytest.mark.full_speed


def test_no_crawl_collects_it_and_each_says_why(stand_in: "RunningStandIn", tmp_path: Path) -> None:
    # Given an archive in which one of two templates was taken down
    url = f"sqlite:///{tmp_path}/a.db"
    one, other = (str(number) for number in stand_in.ids[:2])
    assert crawl(stand_in, url, "-a", f"ids={one},{other}").status == 0
    taken = scrapy("takedown", one, "--why", "the author asked", environment={"DATABASE_URL": url})
    assert taken.status == 0, taken.err

    # When both are asked for
    ran = crawl(stand_in, url, "-a", f"ids={one},{other}")

    # Then the other one comes, and it is said why not this one
    assert ran.status == 0, ran.err
    assert f"1 template not collected, because taken down: {one} (" in ran.err
    assert rows(url, "SELECT workflow_id FROM workflows") == [(other,)]
    # ... and where nothing else is asked for, the crawl is refused
    alone = crawl(stand_in, url, "-a", f"ids={one}")
    assert alone.status == 2
    assert "`scrapy takedown --undo ID` lets one be collected again" in alone.err

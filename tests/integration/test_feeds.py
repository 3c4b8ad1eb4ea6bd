"""A feed that could not be written is never a success."""

from pathlib import Path

from n8n_scraper.testing.stand_in import RunningStandIn
from tests.crawling import crawl, rows


def test_a_feed_that_cannot_be_opened_is_told_and_the_database_has_everything(
    stand_in: RunningStandIn, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    (tmp_path / "taken").mkdir()

    ran = crawl(stand_in, url, "-a", "limit=3", "-O", f"{tmp_path}/taken:jsonlines")

    assert ran.status == 9, ran.err
    assert "A feed cannot be written" in ran.err
    assert rows(url, "SELECT count(*) FROM workflows") == [(3,)]


def test_a_feed_on_a_full_disk_is_told(stand_in: RunningStandIn, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/a.db"

    ran = crawl(stand_in, url, "-a", "limit=3", "-O", "/dev/full:jsonlines")

    assert ran.status == 9, ran.err
    assert rows(url, "SELECT count(*) FROM workflows") == [(3,)]

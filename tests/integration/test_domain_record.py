"""A crawl writes down how it has asked its domain, and what tripped its circuit."""

from pathlib import Path

from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.domain_history import domain_history
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import crawl

DOMAIN = "127.0.0.1"


def test_what_its_site_has_seen_is_written_down(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    with running_stand_in(templates=12) as stand_in:
        ran = crawl(stand_in, url, "-s", "RATE_LIMIT_RATE=50")
        seen = len([one for one in stand_in.log() if not one["path"].startswith("/__")])

    assert ran.status == 0, ran.err
    database = Database(url)
    history = domain_history(database, DOMAIN)
    database.close()
    assert sum(one.requests for one in history.minutes) == seen
    assert {one.allowed_rate for one in history.minutes} == {50.0}
    assert history.events == ()

"""Seven thousand templates read anew: as the crawl had stored them, and how fast; `make bench`."""

import json
import os
from hashlib import sha256

import pytest
from sqlalchemy import create_engine, text

from n8n_scraper.ledger.address import parse_url
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import rows, scrapy, site

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

TEMPLATES = 7_000
LEAST_A_SECOND = 75
"""Templates a second and core."""
TABLES = ("workflows", "raw_answers", "item_versions", "item_events", "view_samples")


@pytest.fixture
def full(database_url: str) -> str:
    """An archive as a crawl of the stand-in has left it, in each database."""
    with running_stand_in(templates=TEMPLATES) as stand_in:
        environment = {**site(stand_in), "DATABASE_URL": database_url, "LOG_LEVEL": "WARNING"}
        ran = scrapy("crawl", "workflows", environment=environment, seconds=600)
        assert ran.status == 0, ran.err
    return database_url


def fingerprint(url: str, table: str) -> str:
    """What tells every row of a table, and every column of each, from any other."""
    digest, engine = sha256(), create_engine(parse_url(url))
    with engine.connect() as connection:
        for row in connection.execute(text(f"SELECT * FROM {table} ORDER BY 1, 2, 3")):  # noqa: S608
            digest.update(repr(tuple(row)).encode())
    engine.dispose()
    return digest.hexdigest()


def test_what_a_crawl_has_stored_is_read_anew_as_it_is_and_fast(full: str) -> None:
    before = {table: fingerprint(full, table) for table in TABLES}

    ran = scrapy("reread", "--json", environment={"DATABASE_URL": full}, seconds=900)

    found, cores = json.loads(ran.out), len(os.sched_getaffinity(0))
    rate = found["read"] / found["seconds"]
    print(f"\n{full.partition(':')[0]}: {found['read']} templates in", end=" ")
    print(f"{found['seconds']:.1f} s, {rate:.0f} a second on {cores} cores")
    assert (ran.status, found["read"], found["changed"]) == (0, TEMPLATES, 0)
    assert {table: fingerprint(full, table) for table in TABLES} == before
    assert rows(full, "SELECT count(*) FROM item_versions") == [(TEMPLATES,)]
    assert rate >= LEAST_A_SECOND * min(cores, 2)

"""Seven thousand templates read anew: as the crawl had stored them, and how fast; `make bench`."""

import json
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from n8n_scraper.ledger.address import parse_url
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import crawl, rows, scrapy

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

TEMPLATES = 7_000
LEAST_A_SECOND = 75
"""Templates a second and core."""
TABLES = ("workflows", "raw_answers", "item_versions", "item_events", "view_samples")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An archive as a crawl of the stand-in has left it."""
    url = f"sqlite:///{tmp_path_factory.mktemp('full')}/full.db"
    with running_stand_in(templates=TEMPLATES) as stand_in:
        ran = crawl(stand_in, url, LOG_LEVEL="WARNING")
        assert ran.status == 0, ran.err
    yield url
    Path(url.removeprefix("sqlite:///")).unlink()


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
    size = Path(full.removeprefix("sqlite:///")).stat().st_size / 1e6
    print(f"\n{found['read']} templates, {size:.0f} MB: {found['seconds']:.1f} s", end=", ")
    print(f"{rate:.0f} a second on {cores} cores")
    assert (ran.status, found["read"], found["changed"]) == (0, TEMPLATES, 0)
    assert {table: fingerprint(full, table) for table in TABLES} == before
    assert rows(full, "SELECT count(*) FROM item_versions") == [(TEMPLATES,)]
    assert rate >= LEAST_A_SECOND * min(cores, 2)

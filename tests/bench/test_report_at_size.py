"""The report of an archive of 13,000 templates, as the command writes it: `make bench`."""

import time
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from n8n_scraper.core.computing import compute
from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.tables import DomainMinuteRow
from n8n_scraper.sources.n8n.rules.computed import COMPUTED
from n8n_scraper.sources.n8n.tables import WorkflowRow
from tests.bench.test_exports_at_size import Writer, store
from tests.crawling import scrapy
from tests.large_archive import run_of
from tests.unit.ledger.given import a_run

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

TEMPLATES = 13_000
RUNS = 30
MINUTES = 7 * 24 * 60
MOST_BYTES = 300_000


def test_a_report_of_a_whole_archive_stays_small(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    database = Database(url)
    fill(database)
    for number in range(RUNS):
        a_run(database, str(number))
    run_id = run_of(database, TEMPLATES)
    ask_for_a_week(database, "n8n.io", "api.n8n.io")
    database.close()

    for name in ("", run_id):
        target = tmp_path / f"report{name}.html"
        began = time.perf_counter()
        ran = scrapy(
            *("report", "-o", str(target), *filter(None, [name])),
            environment={"DATABASE_URL": url},
        )
        took = time.perf_counter() - began

        assert ran.status == 0, ran.err
        size = target.stat().st_size
        print(f"\n{'a run' if name else 'the archive'}: {size / 1000:.0f} kB in {took:.1f} s")
        assert size < MOST_BYTES


def fill(database: Database) -> None:
    writer, columns = Writer(), WorkflowRow.__table__.columns.keys()
    for numbers in batched(range(1, TEMPLATES + 1), 500):
        rows = []
        for number in numbers:
            made = writer.write(number)
            compute(COMPUTED, made)
            row = made.model_dump(mode="json")
            rows.append({name: row[name] for name in row if name in columns})
        database.do(partial(store, rows=rows))


def ask_for_a_week(database: Database, *domains: str) -> None:
    """Note how each domain was asked in every minute of the week before now."""
    begun = datetime.now(UTC) - timedelta(minutes=MINUTES)
    for domain in domains:
        rows = [
            {
                "domain": domain,
                "minute": (begun + timedelta(minutes=number)).isoformat()[:16],
                "worker": f"box:{number // 60}:x",
                "requests": 60 + number % 60,
                "complaints": int(number % 977 == 0),
                "allowed_rate": 2.0,
            }
            for number in range(MINUTES)
        ]
        insert = DomainMinuteRow.__table__.insert()  # type: ignore[attr-defined]
        database.do(lambda session, rows=rows, insert=insert: session.execute(insert, rows))

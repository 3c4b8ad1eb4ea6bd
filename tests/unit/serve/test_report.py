"""The report: one file that needs nothing else, with the figures of the pages."""

import re

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Closing, State
from n8n_scraper.serve.report import report_of, report_of_run
from tests.large_archive import run_of
from tests.serving import served
from tests.unit.ledger.given import a_run, close_as


def test_it_has_the_figures_of_the_pages(database: Database, database_url: str) -> None:
    run_id = run_of(database, 300)

    made = report_of_run(database, run_id)

    with served(database_url) as server:
        page = server.get(f"/runs/{run_id}").text
    for figure in (r"<dd>([^<]+)<", r'aria-label="(of [^"]+)"', r"(\d+ \w+, \w+)</li>"):
        shown = {one for one in re.findall(figure, made) if " s" not in one}
        assert shown
        assert shown <= set(re.findall(figure, page))


def test_it_asks_for_nothing_and_runs_nothing(database: Database) -> None:
    run_of(database, 30)

    made = report_of(database)

    assert not re.search(r"(src|href)=", made)
    assert "<script" not in made
    assert "default-src 'none'" in made
    assert "· 1 run<" in made


def test_it_stays_small_however_large_its_run_is(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    run_of(database, 13_000)

    made = report_of(database)
    database.close()

    assert len(made.encode()) < 100_000


def test_no_stored_text_in_it_is_markup(database: Database) -> None:
    run_id = a_run(database, "1")
    text = "</style><script>x</script>" * 1_000
    close_as(database, run_id, Closing("1", State.FAILED, Outcome.FAILED, "odd", text))

    made = report_of_run(database, run_id)

    assert "<script" not in made
    assert made.count("</style>") == 1
    assert len(made) < 50_000


def test_a_run_that_is_not_there_is_told(database: Database) -> None:
    a_run(database, "1")

    with pytest.raises(BadInput, match="there is no run 'none'"):
        report_of_run(database, "none")

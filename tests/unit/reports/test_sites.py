"""How a site stands follows from the runs that the ledger has of it."""

import json
import time
from dataclasses import replace

import pytest

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger import tool_attempts
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import NewRun, RunStatus
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.policies.run.site_turns import Verdict
from n8n_scraper.policies.tools.ladder import Attempt, Tool
from n8n_scraper.reports.domains import Circuit
from n8n_scraper.reports.site_runs import site_run
from n8n_scraper.reports.sites import SiteReport, site_reports, site_tools
from n8n_scraper.sources_file.entry import Entry
from tests import templates
from tests.unit.ledger.given import a_run, change, close, end, noted
from tests.unit.making import dossier, template

HOUR = 3600.0
CITY = Entry(
    name="city",
    title="City",
    address="https://n8n.io/",
    kind="n8n",
    schedule="2h",
    at_least=1,
    required={"title": 1.0, "description": 0.9},
)
NEW = NewRun("workflows", "n8n", "https://n8n.io", {}, {}, {}, "scrapy crawl workflows")


@pytest.fixture
def database(emptied: Database) -> Database:
    return emptied


def crawled(
    database: Database, *numbers: str, ago: float = 60.0, status: int = 0, **fields: object
) -> str:
    """Leave a run behind that began so long ago and has brought these."""
    run_id = a_run(database, *numbers, new=NEW)
    for number in numbers:
        item = template(number, run_id, **fields)
        kept = list(dossier(number).answers.values())
        database.do(lambda session, item=item, kept=kept: templates.save(session, item, kept))
        close(database, run_id, number, Outcome.COMPLETE)
    end(database, run_id, RunStatus.FINISHED, exit_status=status, complete=len(numbers))
    at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - ago))
    change(database, run_id, started_at=at, ended_at=at)
    return run_id


def seen(database: Database, entry: Entry = CITY) -> SiteReport:
    [report] = site_reports(database, [entry])
    return report


def test_a_run_tells_what_it_has_found_and_how_full_that_is(database):
    run_id = crawled(database, "7", "8", description="words")

    last = seen(database).last

    assert (last.run_id, last.found, last.new, last.changed) == (run_id, 2, 2, 0)
    assert (last.shares, last.coverage) == ({"title": 1.0, "description": 1.0}, 1.0)
    assert last.verdict is Verdict.GOOD
    assert json.loads(json.dumps(seen(database).as_json()))["last"]["coverage"] == 1.0


def test_a_run_below_the_shares_that_a_site_must_give_has_failed(database):
    crawled(database, "7", "8", description=None)

    report = seen(database)

    assert report.last.shares == {"title": 1.0, "description": 0.0}
    assert report.last.shortfalls == ("description in 0 % of them, 90 % required",)
    assert (report.last.verdict, report.standing.failures) == (Verdict.FAILED, 1)


def test_blank_text_and_empty_lists_hold_nothing(database):
    crawled(database, "7", description="", categories=[])
    asked = CITY.model_copy(update={"required": {"description": 1.0, "categories": 1.0}})

    assert seen(database, asked).last.shares == {"description": 0.0, "categories": 0.0}


def test_an_empty_result_of_a_site_that_always_has_some_is_a_failure_and_backs_off(database):
    for ago in (6 * HOUR, 4 * HOUR, 2 * HOUR):
        crawled(database, ago=ago)

    standing = seen(database).standing

    assert standing.failures == 3
    assert standing.due_at == pytest.approx(time.time() + 6 * HOUR, abs=60)
    assert standing.rests_until == pytest.approx(time.time() - HOUR, abs=60)


def test_of_a_site_that_may_be_empty_an_empty_result_is_well(database):
    crawled(database)

    assert seen(database, CITY.model_copy(update={"at_least": 0})).standing.failures == 0


def test_a_run_that_was_killed_is_no_failure_and_counts_as_a_crawl(database):
    run_id = a_run(database, "7", new=NEW)
    end(database, run_id, RunStatus.STOPPED, exit_status=ExitStatus.WORK_LEFT)

    report = seen(database)

    assert (report.standing.failures, report.last.verdict) == (0, Verdict.NOTHING)
    assert report.standing.due_at == pytest.approx(time.time() + 2 * HOUR, abs=60)


def test_a_run_under_way_is_named_and_moves_the_next_time(database):
    crawled(database, "7", ago=3 * HOUR, description="words")
    run_id = a_run(database, "8", new=NEW)

    report = seen(database)

    assert report.under_way == run_id
    assert report.standing.due_at == pytest.approx(time.time() + 2 * HOUR, abs=60)


def test_what_was_asked_for_by_hand_moves_nothing(database):
    crawled(database, "7", ago=3 * HOUR, description="words")
    by_hand = a_run(database, "8", new=replace(NEW, arguments={"limit": "1"}))

    report = seen(database)

    assert report.last.found == 1
    assert report.standing.is_due(time.time())
    # Yet as long as it goes on the site is left to it.
    assert report.under_way == by_hand
    assert not report.has_its_turn(time.time())


def test_the_circuit_of_its_domain_is_told_and_leaves_it_alone(database):
    circuit = CircuitState(
        5, opened_at=time.time(), hold_seconds=600.0, reason="timeout", tripped_by="/"
    )
    noted(database, {"n8n.io": DomainState(circuit=circuit)})

    report = seen(database)

    assert report.domain.circuit is Circuit.OPEN
    assert report.standing.is_due(time.time())
    assert not report.has_its_turn(time.time())


def test_the_tool_that_brought_most_is_told(database):
    run_id = crawled(database, "7", description="words")
    for tool, items in ((Tool.HTTP, 1), (Tool.PLAYWRIGHT, 5)):
        attempt = Attempt(tool, time.time(), 1.0, 1.0, 0.0, items)
        database.do(lambda s, attempt=attempt: tool_attempts.note(s, "n8n", attempt))

    assert site_run(database, CITY, run_id).tool == "playwright"
    assert [one.tool for one in site_tools(database, CITY)] == ["http", "playwright"]


def test_a_site_that_was_never_crawled_is_due_at_once(database):
    report = seen(database)

    assert (report.last, report.under_way) == (None, None)
    assert report.standing.is_due(time.time())

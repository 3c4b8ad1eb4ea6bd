"""Domains for people and machines to look at."""

import pytest

from n8n_scraper.commands.words import domain_line
from n8n_scraper.ledger import domains
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.pace import PaceState
from n8n_scraper.policies.pace.token_bucket import BucketState
from n8n_scraper.reports.domains import Circuit, DomainReport, domain_reports

NOW = 1_800_000_000.0
OPEN = CircuitState(5, NOW - 20, 60.0, "timeout", "/a")


def known(database: Database, circuit: CircuitState, held: float = 0.0) -> DomainReport:
    state = PaceState(BucketState(1.5, NOW - 1, held), circuit, learned_rate=1.4)
    database.do(lambda session: domains.save(session, {"n8n.io": state}))
    [report] = domain_reports(database, NOW)
    return report


def test_a_domain_that_answers_tells_its_bucket_and_what_it_taught(database: Database) -> None:
    report = known(database, CircuitState(2), held=NOW + 30)

    assert (report.circuit, report.failures) == (Circuit.CLOSED, 2)
    assert (report.tokens, report.tokens_at, report.learned_rate) == (1.5, NOW - 1, 1.4)
    assert report.held_for_seconds == pytest.approx(30)
    assert domain_line(report) == "n8n.io: closed, 2 failures in a row"


def test_a_domain_that_is_left_alone_tells_for_how_long_and_why(database: Database) -> None:
    report = known(database, OPEN)

    assert (report.circuit, report.open_for_seconds) == (Circuit.OPEN, pytest.approx(40))
    assert (report.reason, report.tripped_by) == ("timeout", "/a")
    assert domain_line(report) == (
        "n8n.io: open for 40 s more; since 2027-01-15T07:59:40+00:00, after 5 failures in a row, "
        "the last one timeout (/a)"
    )


def test_a_domain_whose_time_is_over_is_due_for_a_probe(database: Database) -> None:
    report = known(database, CircuitState(5, NOW - 61, 60.0, "timeout", "/a"))

    assert (report.circuit, report.open_for_seconds) == (Circuit.PROBE_DUE, 0.0)
    assert "open, a probe is due" in domain_line(report)


def test_where_nothing_was_crawled_there_is_no_domain(database: Database) -> None:
    assert domain_reports(database) == []

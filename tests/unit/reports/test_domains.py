"""Domains for people and machines to look at."""

from dataclasses import replace

import pytest

from n8n_scraper.commands.words import domain_line
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.policies.pace.learned_rate import LearnedRate
from n8n_scraper.reports.domains import Circuit, DomainReport, domain_reports
from tests.unit.ledger.given import noted

NOW = 1_800_000_000.0
OPEN = CircuitState(5, opened_at=NOW - 20, hold_seconds=60.0, reason="timeout", tripped_by="/a")


def known(database: Database, circuit: CircuitState, held: float = 0.0) -> DomainReport:
    state = DomainState(NOW - 1, held, LearnedRate(1.4), circuit, noted_at=NOW)
    noted(database, {"n8n.io": state})
    [report] = domain_reports(database, NOW)
    return report


def test_a_domain_that_answers_tells_its_bucket_and_what_it_taught(database: Database) -> None:
    report = known(database, CircuitState(2), held=NOW + 30)

    assert (report.circuit, report.failures) == (Circuit.CLOSED, 2)
    assert (report.next_token_at, report.learned_rate) == ("2027-01-15T07:59:59+00:00", 1.4)
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
    report = known(database, replace(OPEN, opened_at=NOW - 61))

    assert (report.circuit, report.open_for_seconds) == (Circuit.PROBE_DUE, 0.0)
    assert "open, a probe is due" in domain_line(report)


def test_a_domain_that_is_in_doubt_is_not_left_alone(database: Database) -> None:
    report = known(database, replace(OPEN, hold_seconds=0.0))

    assert (report.circuit, report.open_for_seconds) == (Circuit.CLOSED, 0.0)


def test_where_nothing_was_crawled_there_is_no_domain(database: Database) -> None:
    assert domain_reports(database) == []


def test_what_is_known_elsewhere_goes_before_what_the_database_says(database: Database) -> None:
    noted(database, {"n8n.io": DomainState(noted_at=NOW), "a.example": DomainState(noted_at=NOW)})

    reports = domain_reports(database, NOW, {"n8n.io": DomainState(circuit=OPEN, noted_at=NOW)})

    assert [(one.domain, one.circuit) for one in reports] == [
        ("a.example", Circuit.CLOSED),
        ("n8n.io", Circuit.OPEN),
    ]

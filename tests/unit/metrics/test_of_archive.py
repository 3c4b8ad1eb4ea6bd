"""What an archive tells Prometheus is what the reports say."""

from dataclasses import replace

import pytest

from n8n_scraper.ledger.database import Database
from n8n_scraper.metrics.domains import MOST_DOMAINS
from n8n_scraper.metrics.of_archive import of_domains, of_run
from n8n_scraper.policies.run.standing import Standing
from n8n_scraper.reports.archive import archive_report
from n8n_scraper.reports.domains import Circuit, DomainReport
from n8n_scraper.sources.n8n.source import SOURCE
from tests.unit.metrics.given import archive_samples, told
from tests.unit.reports.made import LIVE, STOPPED
from tests.unit.reports.test_archive import two_templates
from tests.unit.reports.test_outside import FAILED, NOW, look, write

WELL = DomainReport(
    domain="n8n.io",
    circuit=Circuit.CLOSED,
    failures=0,
    opened_at=None,
    open_for_seconds=0.0,
    reason="",
    tripped_by="",
    held_for_seconds=0.0,
    learned_rate=None,
    next_token_at="2026-11-19T00:00:00+00:00",  # noqa: S106 - of a bucket
    reset_at=None,
    noted_at="2026-11-19T00:00:00+00:00",
)
OPEN = replace(
    WELL,
    circuit=Circuit.OPEN,
    failures=5,
    opened_at="2026-11-19T00:00:10+00:00",
    open_for_seconds=40.0,
    noted_at="2026-01-01T00:00:00+00:00",
)


def test_its_items_are_those_of_the_report(database: Database) -> None:
    run_id = two_templates(database)
    [source] = archive_report(database, [SOURCE]).sources

    seen = told(archive_samples(database))

    assert seen["archive_counted_timestamp_seconds",] == 1_800_000_000
    assert seen["items_removed", "n8n"] == 1
    assert seen["items_with_field", "n8n", "description"] == 1
    assert seen["raw_answers_bytes", "n8n"] == source.raw_bytes
    assert seen["newest_item_timestamp_seconds", "n8n"] == 1_793_577_600
    assert sum(value for key, value in seen.items() if key[0] == "items") == source.items
    assert seen["live_run_info", "n8n", run_id] == seen["run_standing", "n8n", "live"] == 1
    assert seen["run_workers", "n8n", "alive"] == 1
    assert seen["run_items_left", "n8n"] == 2


def test_an_archive_in_which_nothing_was_crawled_tells_no_run(database: Database) -> None:
    seen = told(archive_samples(database))

    assert seen["runs",] == seen["domains",] == seen["item_versions", "n8n"] == 0
    assert not [key for key in seen if key[0].startswith("run_")]
    assert ("newest_item_timestamp_seconds", "n8n") not in seen


def test_a_live_run_is_named_and_has_no_end() -> None:
    seen = told(of_run(LIVE))

    assert seen["live_run_info", "n8n", LIVE.run_id] == 1
    assert [seen["run_standing", "n8n", one] for one in Standing] == [1, 0, 0]
    assert seen["run_items", "n8n", "complete"] == 38
    assert (seen["run_items_left", "n8n"], seen["run_items_unsettled", "n8n"]) == (60, 1)
    assert seen["run_items_per_second", "n8n"] == pytest.approx(2 / 3)
    assert seen["run_left_seconds", "n8n"] == 90
    assert not {"run_end_timestamp_seconds", "run_exit_status"} & {key[0] for key in seen}


def test_a_run_that_has_ended_is_not_named_any_more() -> None:
    seen = told(of_run(STOPPED))

    assert seen["run_exit_status", "n8n"] == 4
    assert seen["run_end_timestamp_seconds", "n8n"] - seen[
        "run_start_timestamp_seconds", "n8n"
    ] == (pytest.approx(59.877))
    assert not {"live_run_info", "run_left_seconds"} & {key[0] for key in seen}


def test_a_domain_tells_how_its_circuit_stands() -> None:
    seen = told(of_domains([WELL, replace(OPEN, domain="b.example", learned_rate=1.4)]))

    assert seen["domains",] == 2
    assert [seen["domain_circuit", "b.example", one] for one in Circuit] == [0, 1, 0]
    assert [seen["domain_circuit", "n8n.io", one] for one in Circuit] == [1, 0, 0]
    assert seen["domain_opened_timestamp_seconds", "b.example"] == 1_795_046_410
    assert seen["domain_open_left_seconds", "b.example"] == 40
    assert seen["domain_learned_requests_per_second", "b.example"] == 1.4
    assert ("domain_learned_requests_per_second", "n8n.io") not in seen


def test_of_very_many_domains_those_in_trouble_are_told_before_the_newest() -> None:
    many = [replace(WELL, domain=f"{number:03}.example") for number in range(200)]

    seen = told(of_domains([*many, replace(OPEN, domain="ill.example")]))

    named = {key[1] for key in seen if key[0] == "domain_circuit"}
    assert seen["domains",] == 201
    assert len(named) == MOST_DOMAINS
    assert {"ill.example", "199.example"} <= named
    assert "000.example" not in named


def test_what_fires_and_what_is_not_sent_are_those_of_the_report(database: Database) -> None:
    look(database, NOW, FAILED)
    write(database, "a", "b")

    seen = told(archive_samples(database))

    assert (seen["alerts_firing", "run_failed"], seen["alerts_firing", "slow"]) == (1, 0)
    assert seen["outbox_waiting_messages", "etl"] == 2
    assert seen["outbox_given_up_messages", "etl"] == 0
    assert seen["outbox_oldest_timestamp_seconds", "etl"] > NOW

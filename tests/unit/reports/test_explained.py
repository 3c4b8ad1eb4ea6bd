"""All that the archive knows of one item."""

from dataclasses import replace

import pytest

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger import takedowns
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.policies.pace.learned_rate import LearnedRate
from n8n_scraper.reports.domains import Circuit, allowed
from n8n_scraper.reports.explained import (
    Explanation,
    explain,
    item_answered_at,
    sources_that_know,
)
from n8n_scraper.sources import all_sources
from n8n_scraper.sources.n8n.source import SOURCE
from tests import templates
from tests.unit.ledger.given import a_run, close, noted
from tests.unit.making import dossier, template

SETTINGS = {
    "N8N_SITE_URL": "https://n8n.io",
    "N8N_API_URL": "https://api.n8n.io",
    "RATE_LIMIT_RATE": "2",
    "RATE_LIMIT_BURST": "5",
}
NOW = 1_800_000_000.0


def stored(database: Database) -> str:
    """Given a template of which the metadata and the JSON have come, in its second run."""
    first = a_run(database, "7")
    close(database, first, "7", Outcome.FAILED, category="timeout", reason="no answer in 30 s")
    second = a_run(database, "7")
    close(database, second, "7", Outcome.COMPLETE)
    answers = list(dossier("7").answers.values())
    database.do(lambda session: templates.save(session, template("7", second), answers))
    return second


def told(database: Database, item_id: str = "7", **more: object) -> Explanation:
    return explain(database, SOURCE, Planned(item_id), SETTINGS, now=NOW, **more)  # type: ignore[arg-type]


def test_each_answer_is_told_with_its_status_its_time_and_its_size(database: Database) -> None:
    stored(database)

    answers = told(database).answers

    sizes = [len(answer.body) for answer in dossier("7").answers.values()]
    assert [(one.part, one.http_status, one.bytes) for one in answers] == [
        ("metadata", 200, sizes[0]),
        ("json", 200, sizes[1]),
    ]
    assert answers[0].fetched_at == "2026-01-01T00:00:00Z"


def test_each_run_is_told_with_what_came_of_it_the_newest_first(database: Database) -> None:
    second = stored(database)

    found = told(database)

    assert (found.runs, found.tried[0].run_id, found.run_id) == (2, second, second)
    assert [(one.outcome, one.category, one.attempts) for one in found.tried] == [
        ("complete", None, 1),
        ("failed", "timeout", 1),
    ]
    assert found.tried[1].reason == "no answer in 30 s"


def test_a_field_says_where_it_was_read_and_where_else_it_stands(database: Database) -> None:
    stored(database)

    fields = {one.field: one for one in told(database).fields}

    assert (fields["title"].source, fields["title"].also_in) == ("metadata", ("json",))
    assert fields["workflow"].source == "json"
    assert fields["workflow"].also_in == ("metadata",)


def test_a_field_without_a_value_says_why(database: Database) -> None:
    stored(database)

    fields = {one.field: one for one in told(database).fields}

    assert fields["last_update_text"].source is None
    assert fields["last_update_text"].why_not == "explainer skipped: not needed"


def test_a_computed_field_says_what_it_follows_from(database: Database) -> None:
    stored(database)

    fields = {one.field: one for one in told(database).fields}

    assert fields["content_hash"].source == "computed"
    assert "title" in fields["content_hash"].follows_from


def test_an_item_that_was_planned_and_never_had_is_known_all_the_same(database: Database) -> None:
    a_run(database, "8")

    found = told(database, "8")

    assert (found.is_stored, found.is_known, found.runs) == (False, True, 1)
    assert (found.fields, found.answers) == ((), ())
    assert found.tried[0].state == "pending"


def test_of_an_item_that_was_taken_down_nothing_would_be_asked(database: Database) -> None:
    a_run(database, "8")
    database.do(lambda session: takedowns.note(session, "n8n", "8", "the author asked"))

    found = told(database, "8")

    assert found.taken_down is not None
    assert found.taken_down.why == "the author asked"
    assert (found.steps, found.pace) == ({}, ())


def test_of_an_item_that_nobody_knows_it_is_told_what_would_be_asked(database: Database) -> None:
    found = told(database, "9")

    assert not found.is_known
    assert {step.part for step in found.steps["full"]} == set(SOURCE.parts)
    assert [one.domain for one in found.pace] == ["n8n.io"]


def test_the_source_of_an_id_is_the_one_that_knows_it(database: Database) -> None:
    stored(database)
    a_run(database, "8")

    names = [[one.name for one in sources_that_know(database, all_sources(), i)] for i in "789"]

    assert names == [["n8n"], ["n8n"], []]


def test_an_item_is_found_by_the_address_of_a_kept_answer(database: Database) -> None:
    stored(database)

    assert item_answered_at(database, "http://x/") == ("n8n", "7")
    assert item_answered_at(database, "http://x/other") is None


def test_the_pace_is_what_the_domain_is_known_to_bear(database: Database) -> None:
    noted(database, {"n8n.io": DomainState(NOW - 60, held_until=NOW + 30, noted_at=NOW)})

    [pace] = told(database).pace

    assert (pace.waits_for, pace.wait_seconds) == ("server", pytest.approx(30))


BUSY = DomainState(next_at=NOW + 1.5, noted_at=NOW)
OPEN = CircuitState(5, opened_at=NOW - 20, hold_seconds=60.0, reason="timeout", tripped_by="/a")


@pytest.mark.parametrize(
    ("state", "waits_for", "seconds"),
    [
        (None, "", 0),
        (DomainState(next_at=NOW - 9), "", 0),
        (BUSY, "token", 1.5),
        (replace(BUSY, held_until=NOW + 7), "server", 7),
        (replace(BUSY, held_until=NOW + 7, circuit=OPEN), "circuit", 40),
        (replace(BUSY, circuit=replace(OPEN, opened_at=NOW - 90)), "token", 1.5),
    ],
)
def test_a_request_waits_for_what_takes_longest(
    state: DomainState | None, waits_for: str, seconds: float
) -> None:
    found = allowed(state, "n8n.io", SETTINGS, NOW)

    assert (found.waits_for, found.wait_seconds) == (waits_for, pytest.approx(seconds))


def test_a_learned_rate_takes_the_place_of_the_one_that_was_told() -> None:
    taught = DomainState(NOW - 60, learned=LearnedRate(0.5))

    found = allowed(taught, "n8n.io", SETTINGS, NOW)

    assert (found.rate, found.learned, found.circuit) == (0.5, True, Circuit.CLOSED)


def test_without_a_limit_nothing_waits_for_a_token() -> None:
    found = allowed(BUSY, "n8n.io", SETTINGS | {"RATE_LIMIT_RATE": "0"}, NOW)

    assert (found.rate, found.wait_seconds) == (0, 0)

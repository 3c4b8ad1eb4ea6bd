"""How domains stand in the table that all share who ask them."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from n8n_scraper.ledger import domains
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.pace_store import DatabasePaceStore
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.policies.pace.learned_rate import LearnedRate

THEN = 1_700_000_000.0
PROBED = CircuitState(
    failures=10,
    failed_paths=4,
    opened_at=THEN,
    closed_at=THEN - 9,
    hold_seconds=60.0,
    reason="timeout",
    tripped_by="TimeoutError from https://n8n.io/",
    host="n8n.io",
    witnessed=True,
    probe="abc:1",
    probe_at=THEN + 60,
)
OPEN = DomainState(
    next_at=THEN + 0.25,
    held_until=THEN + 60,
    learned=LearnedRate(1.25, 1.0, 30.0, 17, THEN - 100),
    circuit=PROBED,
    epoch=7,
    noted_at=THEN + 1,
)


@pytest.fixture
def store(database: Database) -> Iterator[DatabasePaceStore]:
    with closing(DatabasePaceStore(database)) as opened:
        yield opened


def test_what_is_noted_comes_back_as_it_was(database: Database, store: DatabasePaceStore) -> None:
    store.change("n8n.io", lambda state, now: OPEN)
    store.change("other.example", lambda state, now: DomainState())

    assert database.do(domains.load) == {"n8n.io": OPEN, "other.example": DomainState()}


def test_a_reset_closes_the_circuit_and_leaves_the_bucket_alone(
    database: Database, store: DatabasePaceStore
) -> None:
    store.change("n8n.io", lambda state, now: OPEN)
    before = store.look("n8n.io")

    assert database.do(lambda session: domains.reset_circuit(session, "n8n.io"))

    after = store.look("n8n.io")
    assert after.state.circuit == CircuitState(closed_at=OPEN.noted_at)
    assert (after.state.next_at, after.state.learned) == (OPEN.next_at, OPEN.learned)
    assert after.state.reset_at is not None
    assert after.revision > before.revision  # so that all who look see it as new


def test_what_happens_after_a_reset_keeps_its_time(
    database: Database, store: DatabasePaceStore
) -> None:
    store.change("n8n.io", lambda state, now: OPEN)
    database.do(lambda session: domains.reset_circuit(session, "n8n.io"))
    reset_at = store.look("n8n.io").state.reset_at

    store.change("n8n.io", DomainState.closed)

    assert store.look("n8n.io").state.reset_at == reset_at


def test_a_domain_that_nobody_has_met_cannot_be_reset(database: Database) -> None:
    assert not database.do(lambda session: domains.reset_circuit(session, "nowhere.example"))

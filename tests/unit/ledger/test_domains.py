"""What an earlier crawl knew of a domain."""

import asyncio

from n8n_scraper.ledger import domains
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.pace import PaceState
from n8n_scraper.policies.pace.token_bucket import BucketState

OPEN = PaceState(
    BucketState(-1.5, 1_700_000_000.25, 1_700_000_060.0),
    CircuitState(10, 1_700_000_000.0, 60.0, "timeout", "TimeoutError from https://n8n.io/"),
    learned_rate=1.25,
)
FRESH = PaceState(BucketState(4.75, 1_700_000_000.0), CircuitState())


def test_what_is_noted_comes_back_as_it_was(database: Database) -> None:
    database.do(lambda session: domains.save(session, {"n8n.io": OPEN, "other.example": FRESH}))

    assert database.do(domains.load) == {"n8n.io": OPEN, "other.example": FRESH}


def test_a_later_note_replaces_an_earlier_one(database: Database) -> None:
    database.do(lambda session: domains.save(session, {"n8n.io": OPEN}))

    database.do(lambda session: domains.save(session, {"n8n.io": FRESH}))

    assert database.do(domains.load) == {"n8n.io": FRESH}


def test_a_reset_closes_the_circuit_and_leaves_the_bucket_alone(database: Database) -> None:
    database.do(lambda session: domains.save(session, {"n8n.io": OPEN}))

    assert database.do(lambda session: domains.reset_circuit(session, "n8n.io"))

    state = database.do(domains.load)["n8n.io"]
    assert (state.bucket, state.circuit) == (OPEN.bucket, CircuitState())
    assert set(database.do(domains.resets)) == {"n8n.io"}


def test_a_note_after_a_reset_keeps_the_time_of_the_reset(database: Database) -> None:
    database.do(lambda session: domains.save(session, {"n8n.io": OPEN}))
    database.do(lambda session: domains.reset_circuit(session, "n8n.io"))
    resets = database.do(domains.resets)

    database.do(lambda session: domains.save(session, {"n8n.io": FRESH}))

    assert database.do(domains.resets) == resets


def test_a_domain_that_nobody_has_met_cannot_be_reset(database: Database) -> None:
    assert not database.do(lambda session: domains.reset_circuit(session, "nowhere.example"))


def test_a_store_gives_the_last_that_it_was_told_of_each_domain(database: Database) -> None:
    async def crawl() -> object:
        store = domains.DatabasePaceStore(database)
        await store.save({"n8n.io": OPEN, "other.example": FRESH})
        await store.save({"n8n.io": FRESH})
        return await store.load()

    assert asyncio.run(crawl()) == {"n8n.io": FRESH, "other.example": FRESH}

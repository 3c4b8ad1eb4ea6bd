"""Doubtful items, and what a person says of them, in both databases."""

import pytest

from n8n_scraper.core.classified import Announced, Classified
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.announced.review import Verdict
from n8n_scraper.records import reviews, takedown
from n8n_scraper.records.reviews import Review
from tests import storing
from tests.toy.making import quote
from tests.unit.records.announcing import let_be_doubted

FIRST = "2026-11-01T00:00:00.000Z"


@pytest.fixture
def doubted(quotes: Source, monkeypatch: pytest.MonkeyPatch) -> Source:
    """Quotations that may be something else, to be asked for before the database."""
    let_be_doubted(quotes, monkeypatch)
    return quotes


def put(database: Database, quotes: Source, sure: str, day: int = 1, quote_id: str = "q1") -> None:
    item = quote(quote_id, day=day, title="Lamplight", tags=[sure])
    database.do(lambda session: storing.save(session, quotes, item, []))


def all_reviews(database: Database) -> list[Review]:
    return database.look(reviews.all_reviews)


def decide(database: Database, quotes: Source, verdict: Verdict, quote_id: str = "q1") -> bool:
    now = "2026-11-05T00:00:00.000Z"
    return database.do(lambda session: reviews.decide(session, quotes, quote_id, verdict, now))


def test_a_doubtful_item_waits_since_it_was_first_seen_until_the_doubt_is_over(
    doubted: Source, database: Database
) -> None:
    put(database, doubted, "0.6")
    put(database, doubted, "0.65", day=2)
    put(database, doubted, "0.9", quote_id="q2")
    [review] = all_reviews(database)
    put(database, doubted, "0.9", day=3)

    assert (review.item_id, review.asked_at, review.verdict) == ("q1", FIRST, None)
    assert review.classified == Classified(Announced.EVENT, 0.65, ("event: Lamplight",))
    assert all_reviews(database) == []


def test_what_a_person_has_said_stays_over_crawls(doubted: Source, database: Database) -> None:
    put(database, doubted, "0.6")
    put(database, doubted, "0.9", quote_id="q2")

    were_there = [decide(database, doubted, Verdict.REJECTED, one) for one in ("q1", "q2", "q7")]
    for day, sure in ((2, "0.9"), (3, "0.5")):
        put(database, doubted, sure, day=day)

    first, second = all_reviews(database)
    assert were_there == [True, True, False]
    assert (first.item_id, first.verdict, first.asked_at) == ("q1", Verdict.REJECTED, FIRST)
    assert (second.item_id, second.verdict) == ("q2", Verdict.REJECTED)
    # ... until the person says otherwise, or the item is taken down
    decide(database, doubted, Verdict.ACCEPTED)
    database.do(lambda session: takedown.take_down(session, doubted, "q2", "asked") and None)
    assert [one.verdict for one in all_reviews(database)] == [Verdict.ACCEPTED]

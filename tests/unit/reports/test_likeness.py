"""Clusters of items that are nearly the same, as pages and hosts are told of them."""

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.likeness import clusters, look_alikes
from tests import storing
from tests.toy.making import quote

WORDS = "one two three four five six seven eight nine"


def test_clusters_are_told_with_their_names_members_and_pairs(
    quotes: Source, database: Database
) -> None:
    said = {
        "q2": WORDS,
        "q3": f"{WORDS} and",
        "q10": WORDS,
        "q4": WORDS.upper(),
        "q5": WORDS.upper(),
    }
    for quote_id, words in said.items():
        item = quote(quote_id, words=words, title=None if quote_id == "q4" else f"Of {quote_id}")
        database.do(lambda session, item=item: storing.save(session, quotes, item, []))

    large, small = clusters(database, quotes)

    assert (large.name, large.id) == ("Of q3", "q2")
    assert [one.item_id for one in large.members] == ["q3", "q10", "q2"]
    assert [pair[:2] for pair in large.pairs] == [("q10", "q2"), ("q10", "q3"), ("q2", "q3")]
    assert (small.name, small.id) == ("q4", "q4")
    # ... and of one item, what is like it
    found = look_alikes(database, quotes, "q2")
    assert [(one.item_id, round(one.similarity, 2)) for one in found.alike] == [
        ("q10", 1.0),
        ("q3", 0.9),
    ]

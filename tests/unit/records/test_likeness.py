"""Look-alikes of any source, in both databases."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from sqlalchemy import delete

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.likeness.features import likeness as measure
from n8n_scraper.records import likeness
from n8n_scraper.records.tables import FirstFeatureRow, ItemFeaturesRow, LookAlikesRow
from tests import storing
from tests.toy.making import quote

WORDS = [
    "so",
    "it",
    "is",
    "said",
    "by",
    "all",
    "of",
    "those",
    "that",
    "had",
    "been",
    "there",
    "on",
    "that",
    "day",
]


def save(database: Database, source: Source, said: Mapping[str, str]) -> None:
    for quote_id, words in said.items():
        item = quote(quote_id, words=words)
        database.do(lambda session, item=item: storing.save(session, source, item, []))


def pairs(database: Database, source: Source) -> list[tuple[str, str, float]]:
    return database.look(lambda session: list(likeness.pairs_of(session, source)))


def alike_by_hand(source: Source, said: Mapping[str, str]) -> list[tuple[str, str, float]]:
    """Compare each with each."""
    compare: Any = source.kind().likeness
    found = {one: compare.features({"words": words}) for one, words in said.items()}
    all_pairs = ((one, other) for one in sorted(said) for other in sorted(said) if one < other)
    measured = ((one, other, measure(found[one], found[other])) for one, other in all_pairs)
    long_enough = {one for one, those in found.items() if len(those) >= 6}
    return [one for one in measured if one[2] >= 0.8 and long_enough.issuperset(one[:2])]


def variations(seed: int) -> dict[str, str]:
    random = Random(seed)
    said = {}
    for number in range(30):
        words = random.sample(WORDS, random.choice((3, 6, 10, len(WORDS), len(WORDS))))
        said[f"q{number}"] = " ".join(words + random.sample(["odd", "even"], random.randint(0, 2)))
    return said


def test_items_are_compared_as_they_are_stored_and_as_they_change(
    quotes: Source, database: Database
) -> None:
    first, then = variations(1), {**variations(1), **dict(list(variations(2).items())[:12])}

    save(database, quotes, first)
    before = pairs(database, quotes)
    save(database, quotes, then)

    assert before == alike_by_hand(quotes, first)
    assert len(before) > 5
    assert pairs(database, quotes) == alike_by_hand(quotes, then) != before


def test_looking_through_an_archive_of_before_finds_the_same(
    quotes: Source, database: Database
) -> None:
    save(database, quotes, variations(1))
    one_by_one = pairs(database, quotes)
    for row in (ItemFeaturesRow, FirstFeatureRow, LookAlikesRow):
        database.do(lambda session, row=row: session.execute(delete(row)) and None)
    unknown = database.look(lambda session: likeness.not_looked_at(session, quotes))

    looked_at = likeness.look_through(database, quotes)

    assert (unknown, looked_at) == (30, 30)
    assert pairs(database, quotes) == one_by_one
    assert database.look(lambda session: likeness.not_looked_at(session, quotes)) == 0
    # ... and what is stored next is compared with what was found so
    save(database, quotes, {"q99": variations(1)["q3"]})
    assert pairs(database, quotes) == alike_by_hand(
        quotes, {**variations(1), "q99": variations(1)["q3"]}
    )


def test_what_is_stored_while_all_are_looked_through_is_not_lost(
    quotes: Source, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = variations(1)
    save(database, quotes, said)
    look = database.look

    def and_meanwhile(work: Any) -> Any:
        seen = look(work)
        monkeypatch.undo()
        newer = quote("q0", day=2, words=said["q4"])
        database.do(lambda session: storing.save(session, quotes, newer, []))
        return seen

    monkeypatch.setattr(database, "look", and_meanwhile)
    likeness.look_through(database, quotes)

    assert pairs(database, quotes) == alike_by_hand(quotes, {**said, "q0": said["q4"]})


def test_the_first_of_a_cluster_is_the_one_to_keep(quotes: Source, database: Database) -> None:
    words = "one two three four five six seven eight nine"
    longer = f"{words} and"
    save(database, quotes, {"q1": words, "q2": longer, "q3": words, "q4": "nothing like it"})

    found = database.look(lambda session: likeness.clusters_of(session, quotes))

    assert found == [["q2", "q1", "q3"]]

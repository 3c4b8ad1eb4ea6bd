"""What is stored is found a moment later, as it is by then, whatever has happened in between."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import FoundBy
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import history, indexing, items, likeness, pictures, takedown
from n8n_scraper.records.tables import FirstFeatureRow, ItemFeaturesRow
from n8n_scraper.search.found import Found, Question
from n8n_scraper.search.searching import find
from n8n_scraper.search.tables import SearchItemRow
from n8n_scraper.sources.n8n.item import Image
from n8n_scraper.sources.n8n.source import SOURCE
from tests.toy.making import quote
from tests.unit.records.test_pictures import row as picture
from tests.unit.sources.n8n.test_store import whole

ALIKE = "one two three four five six seven eight nine"


def store(database: Database, source: Source, quote_id: str, **said: object) -> dict[str, FoundBy]:
    """Store a quotation, and leave it for later to index it."""
    item = quote(quote_id, **said)
    stored = database.do(lambda session: items.save(session, source, item, []))
    return {quote_id: stored.found_by}


def index(database: Database, source: Source, stored: Mapping[str, FoundBy]) -> None:
    database.do(lambda session: indexing.index_stored(session, source, stored))


def found(database: Database, source: Source, words: str) -> Found:
    return find(database, source, Question(words))


def ids(database: Database, source: Source, words: str) -> list[str]:
    return [hit.item_id for hit in found(database, source, words).hits]


def pairs(database: Database, source: Source) -> list[tuple[str, str, float]]:
    return database.look(lambda session: list(likeness.pairs_of(session, source)))


def everything_found_by(database: Database) -> list[object]:
    """All rows by which something is found, but for the order in which they were written."""
    tables = ("search_items", "search_words", "item_features", "first_features", "look_alikes")

    def look(session: Session) -> list[object]:
        rows = ((one, session.execute(text(f"SELECT * FROM {one}"))) for one in tables)  # noqa: S608 - ours
        return sorted((name, *map(_plain, row)) for name, some in rows for row in some)

    return database.look(look)


def _plain(value: object) -> str:
    return repr(bytes(value) if isinstance(value, memoryview) else value)


def test_many_at_once_are_indexed_as_one_by_one(quotes: Source, database: Database) -> None:
    said = {f"q{number}": ALIKE if number % 3 else f"{ALIKE} and" for number in range(20)}
    said |= {"q5": "Slack and slack.", "q6": "Slack once."}

    for one, words in said.items():
        index(database, quotes, store(database, quotes, one, words=words))
    one_by_one = everything_found_by(database)
    database.do(lambda session: takedown_all(session, quotes, said))
    at_once: dict[str, FoundBy] = {}
    for one, words in said.items():
        at_once |= store(database, quotes, one, words=words)
    index(database, quotes, at_once)

    assert everything_found_by(database) == one_by_one
    assert ids(database, quotes, "slack") == ["q5", "q6"]
    assert len(pairs(database, quotes)) > 100


def takedown_all(session: Session, source: Source, item_ids: Iterable[str]) -> None:
    for one in item_ids:
        takedown.take_down(session, source, one, "to begin anew")
        takedown.undo(session, source, one)


def test_until_it_is_indexed_an_item_is_found_as_it_was(quotes: Source, database: Database) -> None:
    first = store(database, quotes, "q1", words="Slack.")
    assert ids(database, quotes, "slack") == []
    index(database, quotes, first)

    then = store(database, quotes, "q1", day=2, words="Letters.")

    assert ids(database, quotes, "slack") == ["q1"]
    index(database, quotes, then)
    assert ids(database, quotes, "slack") == []
    assert ids(database, quotes, "letters") == ["q1"]


def test_an_item_that_was_stored_once_more_is_indexed_as_it_is_now(
    quotes: Source, database: Database
) -> None:
    first = store(database, quotes, "q1", words="Slack.")
    then = store(database, quotes, "q1", day=2, words="Letters.")

    index(database, quotes, first)

    assert (ids(database, quotes, "slack"), ids(database, quotes, "letters")) == ([], ["q1"])
    index(database, quotes, then)
    assert (ids(database, quotes, "slack"), ids(database, quotes, "letters")) == ([], ["q1"])


def test_what_has_changed_since_in_another_way_is_not_changed_back(
    quotes: Source, database: Database
) -> None:
    stored = store(database, quotes, "q1", words="Slack.")
    database.do(lambda session: history.note_gone(session, quotes, "run", "q1"))

    index(database, quotes, stored)

    assert [hit.removed for hit in found(database, quotes, "slack").hits] == [True]


def test_what_was_taken_down_since_is_not_found_again(quotes: Source, database: Database) -> None:
    stored = store(database, quotes, "q1", words=ALIKE)
    database.do(lambda session: takedown.take_down(session, quotes, "q1", "asked for") and None)

    index(database, quotes, stored)

    for row in (SearchItemRow, ItemFeaturesRow, FirstFeatureRow):
        asked = select(func.count()).select_from(row)
        assert database.look(lambda session, asked=asked: session.scalar(asked)) == 0


def test_what_was_read_in_a_picture_since_is_found(database: Database) -> None:
    url = "https://example.com/a.png"
    shown = Image(url=url, alt=None, places=["description"])
    template = whole().model_copy(update={"images": [shown]})
    stored = database.do(lambda session: items.save(session, SOURCE, template, []))
    database.do(lambda session: pictures.save(session, [picture(url, text="Cinnamon")]))

    index(database, SOURCE, {"7": stored.found_by})

    assert ids(database, SOURCE, "cinnamon") == ["7"]


def test_what_is_stored_again_as_it_was_is_indexed_by_todays_rules_again(
    quotes: Source, database: Database
) -> None:
    index(database, quotes, store(database, quotes, "q1", words=ALIKE))
    before = everything_found_by(database)

    again = store(database, quotes, "q1", words=ALIKE)
    assert database.look(lambda session: indexing.number_not_indexed(session, quotes)) == 1
    index(database, quotes, again)

    assert everything_found_by(database) == before


@pytest.mark.parametrize(("seconds", "number"), [(5, 0), (300, 1)])
def test_what_a_crawl_is_about_to_index_does_not_count_as_missing(
    quotes: Source, database: Database, seconds: int, number: int
) -> None:
    store(database, quotes, "q1")
    at = (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat()
    table = quotes.kind().table()
    database.do(lambda session: session.execute(update(table).values(scraped_at=at)) and None)

    missing = database.look(lambda session: indexing.number_not_indexed(session, quotes))

    assert missing == number
    assert indexing.catch_up(database, quotes) == 1


def test_two_that_chance_has_given_one_number_are_both_found(
    quotes: Source, database: Database
) -> None:
    stored = {one: store(database, quotes, one, words="Slack.")[one] for one in ("q1", "q2", "q3")}
    for one in stored.values():
        assert one.entry is not None
        one.entry["number"] = 7

    index(database, quotes, stored)

    asked = select(SearchItemRow.number).order_by(SearchItemRow.number)
    numbers = database.look(lambda session: list(session.scalars(asked)))
    assert numbers == [7, 8, 9]
    assert sorted(ids(database, quotes, "slack")) == ["q1", "q2", "q3"]

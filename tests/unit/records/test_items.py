"""Items of any source in and out of both databases."""

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import items
from n8n_scraper.records.written import write_down
from tests.toy.making import answer, quote


def test_an_item_comes_out_of_the_database_as_it_went_in(
    quotes: Source, database: Database
) -> None:
    one, other = quote("q1"), quote("q2", title=None, tags=[])

    for item in (other, one):
        database.do(lambda session, item=item: items.save(session, quotes, item, []))

    assert database.do(lambda session: items.load(session, quotes, "q2")) == other
    assert database.do(lambda session: list(items.load_all(session, quotes))) == [one, other]


def test_an_item_that_was_never_stored_is_none(quotes: Source, database: Database) -> None:
    assert database.do(lambda session: items.load(session, quotes, "q9")) is None
    assert database.do(lambda session: items.raw_answers(session, quotes, "q9")) == {}


def test_its_latest_answer_is_kept_exactly_as_it_came(quotes: Source, database: Database) -> None:
    for said in (answer(words="First."), answer(words="Then.")):
        database.do(lambda session, said=said: items.save(session, quotes, quote(), [said]))

    kept = database.do(lambda session: items.raw_answers(session, quotes, "q1"))

    assert kept == {"text": answer(words="Then.")}


def test_an_item_that_is_written_out_beforehand_is_stored_the_same(
    quotes: Source, database: Database
) -> None:
    item = quote()
    written = write_down(quotes, item, [answer()])

    stored = database.do(lambda session: items.save(session, quotes, item, [answer()], written))

    assert stored == items.Stored(item, written.found_by)
    assert database.do(lambda session: items.load(session, quotes, "q1")) == item


def test_where_its_source_takes_nothing_over_an_item_is_stored_as_it_came(
    quotes: Source, database: Database
) -> None:
    for title in ("Of one", None):
        one = quote(title=title)
        database.do(lambda session, one=one: items.save(session, quotes, one, []))

    assert database.do(lambda session: items.load(session, quotes, "q1")).title is None

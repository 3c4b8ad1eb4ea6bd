"""What is found of the items of any source, in both databases."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlalchemy import func, select

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import history, indexing
from n8n_scraper.search import index
from n8n_scraper.search.entry import source_word
from n8n_scraper.search.found import Found, Order, Question
from n8n_scraper.search.searching import FARTHEST, MOST_AT_ONCE, find
from n8n_scraper.search.snippets import without_marks
from n8n_scraper.search.tables import SearchItemRow, SearchWordRow
from tests import storing, toy
from tests.toy.making import quote

STORED = {
    "q1": {"title": "Send slack messages", "words": "It tells a channel.", "tags": ["chat"]},
    "q2": {"title": "Invoices", "words": "Slack hears of each invoice.", "tags": ["money"]},
    "q3": {"title": "Watch a mailbox", "words": "No chat, but google sheets.", "tags": ["Mail"]},
    "q4": {"title": "Google mail, and sheets", "words": "Automation.", "tags": ["mail", "money"]},
}


class Archive:
    """A few quotations, and what is found of them."""

    def __init__(self, database: Database, source: Source) -> None:
        self.database = database
        self.source = source

    def save(self, quote_id: str, day: int = 1, **said: object) -> None:
        """Store one as a crawl does."""
        item = quote(quote_id, day, **said)
        self.database.do(lambda session: storing.save(session, self.source, item, []))

    def find(self, words: str = "", **asked: object) -> Found:
        """Search as everybody does."""
        return find(self.database, self.source, Question(words, **asked))

    def ids(self, words: str = "", **asked: object) -> list[str]:
        """Name what is found."""
        return [hit.item_id for hit in self.find(words, **asked).hits]


def filled(database: Database, source: Source) -> Archive:
    """A few quotations, stored as a crawl does."""
    made = Archive(database, source)
    for quote_id, said in STORED.items():
        made.save(quote_id, **said)
    return made


@pytest.fixture
def archive(quotes: Source, database: Database) -> Archive:
    """For a test that stores something more."""
    return filled(database, quotes)


@pytest.fixture(scope="module")
def shared(url_of_module: str) -> Iterator[Archive]:
    """For tests that only look; one a kind of database."""
    with toy.installed() as source, closing(Database(url_of_module, patience_seconds=0)) as opened:
        yield filled(opened, source)


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("slack", ["q1", "q2"]),  # in the title first
        ("slack invoice", ["q2"]),
        ("invoicing", ["q2"]),  # by its stem
        ('"google sheets"', ["q3"]),  # one behind the other
        ("google sheets", ["q4", "q3"]),
        ("slack -invoices", ["q1"]),
        ('sheets -"google sheets"', ["q4"]),
        ("autom*", ["q4"]),
        ("chat", ["q1", "q3"]),  # a name says more than the body
        ("SLÀCK", ["q1", "q2"]),
        ("cinnamon", []),
        ("-slack", ["q3", "q4"]),
    ],
)
def test_items_are_found_by_their_words_the_best_first(
    shared: Archive, words: str, ids: list[str]
) -> None:
    found = shared.ids(words)

    assert (sorted(found) if words.startswith("-") else found) == ids


def test_what_was_found_is_told_with_its_words_marked(shared: Archive) -> None:
    (hit,) = shared.find("invoice").hits

    assert (hit.title, hit.snippet) == (
        "\x02Invoices\x03",
        "Slack hears of each \x02invoice\x03.",
    )
    assert hit.labels == {"tag": ("money",), "removed": ("no",)}
    assert hit.as_json()["title"] == "Invoices"


def test_where_no_item_has_all_words_those_with_most_of_them_are_given(shared: Archive) -> None:
    found = shared.find("slack invoice mailbox")

    assert ([hit.item_id for hit in found.hits], found.missing) == (["q2"], 1)
    assert shared.find("mailbox invoice").missing == 1


def test_a_slip_is_told_and_forgiven(shared: Archive) -> None:
    found = shared.find("slakc mezsages")

    assert dict(found.corrected) == {"slakc": "slack", "mezsages": "messages"}
    assert [hit.item_id for hit in found.hits] == ["q1"]


def test_filters_hold_all_and_of_several_values_any(shared: Archive) -> None:
    assert sorted(shared.ids(filters={"tag": ("MAIL",)})) == ["q3", "q4"]
    assert sorted(shared.ids(filters={"tag": ("mail", "chat")})) == ["q1", "q3", "q4"]
    assert shared.ids("invoice", filters={"tag": ("money",)}) == ["q2"]
    assert shared.ids("invoice", filters={"tag": ("mail",)}) == []


def test_facets_count_all_that_is_found_whatever_is_shown_of_it(shared: Archive) -> None:
    found = shared.find(limit=1, with_facets=True)

    assert (found.total, len(found.hits)) == (4, 1)
    assert found.facets["removed"] == (("no", 4),)
    assert dict(found.facets["tag"]) == {"money": 2, "Mail": 1, "chat": 1, "mail": 1}


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("words", ["", "slack"])
def test_page_after_page_is_one_list(shared: Archive, order: Order, words: str) -> None:
    whole = shared.ids(words, order=order)

    pages = [shared.ids(words, order=order, limit=1, offset=at) for at in range(len(whole) + 1)]

    assert [one for page in pages for one in page] == whole
    assert len(whole) == shared.find(words).total


def test_the_newest_is_first_where_that_is_asked(archive: Archive) -> None:
    archive.save("q5", day=9, title="Later")

    assert archive.ids(order=Order.NEWEST)[0] == "q5"


def test_an_item_that_has_changed_is_found_by_its_new_words_alone(archive: Archive) -> None:
    archive.save("q1", title="Send letters", words="By post.", tags=[])

    assert archive.ids("slack") == ["q2"]
    assert archive.ids("letter") == ["q1"]
    assert archive.find("channel").total == 0


def test_an_item_that_was_removed_is_found_as_such(archive: Archive) -> None:
    archive.database.do(lambda session: history.note_gone(session, archive.source, "run", "q1"))

    assert [hit.removed for hit in archive.find("slack").hits] == [True, False]
    assert archive.ids("slack", filters={"removed": ("yes",)}) == ["q1"]
    assert archive.ids("slack", filters={"removed": ("no",)}) == ["q2"]


def test_what_is_forgotten_leaves_no_word(archive: Archive) -> None:
    archive.database.do(lambda session: index.forget(session, archive.source, ["q1", "q9"]))

    assert archive.ids("slack") == ["q2"]
    words = archive.database.do(lambda session: set(session.scalars(select(SearchWordRow.word))))
    assert {"slack", "channel"} & words == {"slack"}


def test_the_words_are_counted_item_by_item(archive: Archive) -> None:
    archive.save("q2", title="Invoices", words="Slack, slack and slack again.")
    archive.save("q2", title="Invoices", words="Slack, slack and slack again.")

    def counted(word: str) -> int | None:
        asked = select(SearchWordRow.items).where(SearchWordRow.word == word)
        return archive.database.do(lambda session: session.scalar(asked))

    assert (counted("slack"), counted("again"), counted("hears")) == (2, 1, None)


def test_an_archive_of_before_is_indexed_block_by_block_and_only_where_it_is_not(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "ITEMS_A_BLOCK", 2)
    database, source = archive.database, archive.source
    before = {words: archive.ids(words) for words in ("", "slack", "sheets")}
    database.do(lambda session: index.empty(session, source))
    told: list[int] = []

    missing = database.look(lambda session: indexing.number_not_indexed(session, source))
    done = indexing.catch_up(database, source, told.append)

    assert (missing, done, told) == (4, 4, [2, 4])
    assert indexing.catch_up(database, source) == 0
    assert {words: archive.ids(words) for words in before} == before
    assert indexing.rebuild(database, source) == 4
    assert {words: archive.ids(words) for words in before} == before


def test_what_other_rules_have_indexed_is_indexed_anew(archive: Archive) -> None:
    database, source = archive.database, archive.source
    database.do(
        lambda session: (
            session.query(SearchItemRow)
            .filter_by(item_id="q2")
            .update({"rules": "0.0", "fingerprint": "old"})
        )
    )

    assert indexing.catch_up(database, source) == 1


@pytest.mark.parametrize(
    "words",
    ['"', "'", "\0", "x" * 10_000, "a " * 5_000, "\u202eslack", "{title_words}:x", "a' | !b", "*"],
)
def test_whatever_is_typed_is_no_error(shared: Archive, words: str) -> None:
    assert shared.find(words, with_facets=True).total >= 0


@pytest.mark.parametrize(
    "asked",
    [
        {"filters": {"colour": ("red",)}},
        {"limit": 0},
        {"limit": MOST_AT_ONCE + 1},
        {"offset": -1},
        {"offset": FARTHEST + 1},
    ],
)
def test_what_cannot_be_asked_is_told(shared: Archive, asked: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        shared.find(**asked)


def test_items_of_another_source_are_not_found(archive: Archive) -> None:
    def as_of_another(session: object) -> None:
        row = session.query(SearchItemRow).filter_by(item_id="q2").one()
        session.execute(
            SearchItemRow.__table__.update()
            .where(SearchItemRow.item_id == "q2")
            .values(source="letters", facet_words=row.facet_words.partition(" ")[2])
        )

    archive.database.do(as_of_another)

    assert archive.ids("slack") == ["q1"]
    assert archive.find().total == 3


def test_where_only_another_source_is_indexed_nothing_is_found(archive: Archive) -> None:
    rows = SearchItemRow.__table__
    words = func.replace(rows.c.facet_words, source_word(archive.source), "letters")
    to_letters = rows.update().values(source="letters", facet_words=words)
    archive.database.do(lambda session: session.execute(to_letters))

    assert archive.find("slack").total == archive.find().total == 0


def test_marks_of_our_own_in_a_text_are_taken_out(archive: Archive) -> None:
    archive.save("q6", title="Odd \x02marks\x03", words="Here \x1b[31m too.")

    (hit,) = archive.find("odd").hits

    assert (without_marks(hit.title), hit.snippet) == ("Odd marks", "Here [31m too.")


def test_one_row_an_item_is_kept(archive: Archive) -> None:
    for _ in range(2):
        archive.save("q1", **STORED["q1"])

    number = archive.database.do(
        lambda session: session.scalar(select(func.count()).select_from(SearchItemRow))
    )
    assert number == len(STORED)

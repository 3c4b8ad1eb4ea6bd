"""What people look for among recorded templates, and what they would expect."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import select

from n8n_scraper.ledger.database import Database
from n8n_scraper.search.found import Question
from n8n_scraper.search.searching import find
from n8n_scraper.search.tables import SearchWordRow
from n8n_scraper.search.typos import Vocabulary
from n8n_scraper.search.words import STOP_WORDS, stem, stems_of
from tests.samples.searching import (
    SOURCE,
    fill,
    golden,
    recorded_pages,
    recorded_templates,
)

_FIRST = 10
_SLIPS = 480


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    rows = recorded_templates()
    expected = {item_id for one in golden() for item_id in one["expected"]}
    if expected - rows.keys():
        pytest.skip(f"{len(expected - rows.keys())} expected templates are not recorded here")
    folder: Path = tmp_path_factory.mktemp("recorded")
    database = Database(f"sqlite:///{folder}/archive.db", patience_seconds=0)
    fill(database, list(rows.values()))
    yield database
    database.close()


def _ids(database: Database, words: str, limit: int = _FIRST) -> list[str]:
    return [hit.item_id for hit in find(database, SOURCE, Question(words, limit=limit)).hits]


def _reciprocal(found: list[str], expected: list[str]) -> float:
    return next((1 / place for place, one in enumerate(found, 1) if one in expected), 0.0)


def test_what_people_expect_stands_first_or_nearly_so(recorded: Database) -> None:
    asked = golden()

    ranks = [_reciprocal(_ids(recorded, one["query"]), one["expected"]) for one in asked]

    assert len(asked) == 60
    assert sum(ranks) / len(ranks) >= 0.95
    assert min(ranks) > 0


@pytest.mark.parametrize("page", range(len(recorded_pages())))
def test_our_order_is_no_worse_than_that_of_the_site(recorded: Database, page: int) -> None:
    listed = recorded_pages()[page]
    words = {
        str(one["id"]): set(stems_of(f"{one['name']} {one.get('description') or ''}"))
        for one in listed
    }
    theirs, ours = [], []

    for one in golden():
        if expected := [item_id for item_id in one["expected"] if item_id in words]:
            wanted = set(stems_of(one["query"])) - STOP_WORDS
            with_all = [item_id for item_id, has in words.items() if wanted <= has]
            with_any = [item_id for item_id, has in words.items() if wanted & has]
            theirs.append(_reciprocal(with_all or with_any, expected))
            found = [item_id for item_id in _ids(recorded, one["query"], 100) if item_id in words]
            ours.append(_reciprocal(found, expected))

    assert len(ours) >= 10
    assert sum(ours) >= sum(theirs)


def test_of_words_with_one_wrong_letter_the_right_one_is_meant(recorded: Database) -> None:
    asked = select(SearchWordRow.word, SearchWordRow.items).order_by(SearchWordRow.word)
    words = recorded.look(lambda session: [tuple(row) for row in session.execute(asked)])
    known = {word for word, _ in words}
    usual = [word for word, items in words if items >= 3 and word.isalpha() and len(word) >= 5]
    vocabulary, rng = Vocabulary(words), Random(1)
    right = slips = 0

    while slips < _SLIPS:
        typed = _with_a_slip(rng, word := rng.choice(usual))
        if typed not in known:
            slips += 1
            meant = vocabulary.meant(typed)
            right += meant is not None and stem(meant) == stem(word)

    assert right / slips >= 0.94


def _with_a_slip(rng: Random, word: str) -> str:
    """Leave a letter out, put one too many in, take a wrong one, or swap two."""
    place, letter = rng.randrange(len(word)), rng.choice("abcdefghijklmnopqrstuvwxyz")
    before, behind = word[:place], word[place:]
    kinds = (
        before + behind[1:],
        before + letter + behind,
        before + letter + behind[1:],
        before + behind[1:2] + behind[:1] + behind[2:],
    )
    return rng.choice(kinds)

"""Announcements of the same happening, of one source and across two, in both databases."""

import pytest
from sqlalchemy import delete, select

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.sameness.evidence import Tier
from n8n_scraper.records import matches, takedown
from n8n_scraper.records.tables import MatchRow, OccasionRow
from n8n_scraper.sources.hk_events.source import SOURCE as HK_EVENTS
from tests.unit.records.announcing import ROOM, TITLE, let_announce, put, put_events


@pytest.fixture
def announced(quotes: Source, monkeypatch: pytest.MonkeyPatch) -> Source:
    """Quotations that are announcements, to be asked for before the database."""
    let_announce(quotes, monkeypatch)
    return quotes


def found(database: Database) -> dict[tuple[str, str], Tier]:
    """Every match by the ids of the two."""
    all_of_them = database.look(matches.all_matches)
    return {(one.one[1], one.other[1]): one.evidence.tier for one in all_of_them}


def test_items_are_matched_as_they_are_stored_and_as_they_change(
    announced: Source, database: Database
) -> None:
    put_events(database)

    put(database, announced, "q1", TITLE, *ROOM)
    put(database, announced, "q2", TITLE, "2026-03-21", "", "City Hall")
    first = found(database)
    put(database, announced, "q2", TITLE, "2026-03-14", "", "City Hall (Concert Hall)")
    then = found(database)
    of_event, of_quote = (("hk_events", "7"), ("quotes", "q1"))
    [ours] = database.look(lambda session: list(matches.of_item(session, of_event)))
    [theirs] = database.look(lambda session: list(matches.of_item(session, of_quote)))
    put(database, announced, "q1", "Something else", *ROOM)

    assert first == {("7", "q1"): Tier.FUZZY}
    assert then == {("7", "q1"): Tier.FUZZY, ("8", "q2"): Tier.EXACT}
    assert found(database) == {("8", "q2"): Tier.EXACT}
    # ... and each of two has the evidence from its own side
    assert (ours.one, ours.other) == (theirs.other, theirs.one) == (of_event, of_quote)
    assert ours.evidence == theirs.evidence.turned()
    assert theirs.evidence.title.one == TITLE


def test_looking_through_an_archive_of_before_finds_the_same(
    announced: Source, database: Database
) -> None:
    put_events(database)
    for number in range(12):
        put(database, announced, f"q{number}", TITLE, f"2026-03-{7 + number:02}", "", "City Hall")
    one_by_one = database.look(matches.all_matches)
    for row in (OccasionRow, MatchRow):
        database.do(lambda session, row=row: session.execute(delete(row)) and None)
    unknown = database.look(lambda session: matches.not_looked_at(session, announced))

    looked_at = matches.look_through(database, [HK_EVENTS, announced])

    assert (unknown, looked_at) == (12, 14)
    again = {(one.one, one.other): one.evidence for one in database.look(matches.all_matches)}
    assert again == {(one.one, one.other): one.evidence for one in one_by_one} != {}
    assert database.look(lambda session: matches.not_looked_at(session, announced)) == 0


def test_what_is_taken_down_or_tells_too_little_is_in_no_match(
    announced: Source, database: Database
) -> None:
    put_events(database)
    put(database, announced, "q1", TITLE, *ROOM)
    put(database, announced, "q2", TITLE, "", "", "City Hall (Concert Hall)")
    put(database, announced, "q3", TITLE, *ROOM[:2])
    before = found(database)

    database.do(lambda session: takedown.take_down(session, announced, "q1", "asked") and None)

    assert (before, found(database)) == ({("7", "q1"): Tier.FUZZY}, {})
    kept = database.look(lambda session: session.scalars(select(OccasionRow.item_id)).all())
    assert sorted(kept) == ["7", "8", "q2", "q3"]
    assert database.look(lambda session: matches.not_looked_at(session, announced)) == 0

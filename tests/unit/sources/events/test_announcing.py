"""What events of sites announce: matched with those of other sources, and told what they are."""

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

from n8n_scraper.core.classified import Announced
from n8n_scraper.core.computing import compute
from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.core.source import Provenance
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.announced.review import Standing, Verdict
from n8n_scraper.policies.sameness.evidence import Tier
from n8n_scraper.records import items, matches, reviews, takedown
from n8n_scraper.records.choosing import Snapshot
from n8n_scraper.reports.matches import happenings, matches_of
from n8n_scraper.reports.reviews import reviewed
from n8n_scraper.sources.events.event import assemble
from n8n_scraper.sources.events.found import Found, Place
from n8n_scraper.sources.events.item import SiteEvent, broken_promises
from n8n_scraper.sources.events.rules.computed import COMPUTED
from n8n_scraper.sources.events.source import LIST, SOURCE
from tests import storing
from tests.unit.records.announcing import HK_EVENTS, put_events
from tests.unit.sources.events.given import LIST_URL, SEEN

START = datetime(2026, 3, 7, 12, tzinfo=UTC)
CONCERT = Found(
    timezone="Asia/Hong_Kong",
    title="NOCTURNES by Lamplight",
    start=START,
    end=START + timedelta(hours=2),
    all_day=False,
    venue=Place("City Hall (Concert Hall)", city="Hong Kong"),
    sources={"title": "json-ld"},
)
CITY, TICKETS, GUIDE = (f"{site}-{1:016}" for site in ("city", "tickets", "guide"))

WAITING = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")


def event(event_id: str, **said: Any) -> SiteEvent:
    """The concert as a site tells it, otherwise in some things."""
    dossier = Dossier(Planned(event_id), started=0.0)
    dossier.read[LIST] = replace(CONCERT, **said)
    dossier.settle(LIST, PartStatus.OK)
    item = assemble(dossier, Provenance(LIST_URL, "run", SEEN, 0.5))
    compute(COMPUTED, item)
    assert broken_promises(item) == []
    return item


def put(database: Database, *events: SiteEvent) -> None:
    for one in events:
        database.do(lambda session, one=one: storing.save(session, SOURCE, one, []))


def tiers(database: Database) -> dict[tuple[str, str], Tier]:
    found = database.look(matches.all_matches)
    return {(one.one[1], one.other[1]): one.evidence.tier for one in found}


def test_three_sites_tell_one_concert_in_three_ways(emptied: Database) -> None:
    put_events(emptied)

    put(
        emptied,
        event(CITY),
        event(TICKETS, title="Nocturnes by Lamplights", venue=Place("Concert Hall, City Hall")),
        event(GUIDE, title="燈下夜曲", venue=None, url="http://example.org/nocturnes/?utm_id=2"),
    )

    assert tiers(emptied) == {
        (CITY, "7"): Tier.EXACT,
        (CITY, TICKETS): Tier.FUZZY,
        (GUIDE, "7"): Tier.ADDRESS,
        (TICKETS, "7"): Tier.FUZZY,
    }
    [happening] = happenings(emptied, {"hk_events": 1})
    assert happening.announcements[0].key == ("hk_events", "7")
    assert len(happening.announcements) == 4
    # ... and each item has its own side of it
    found = matches_of(emptied, SOURCE, GUIDE, {"hk_events": 1})
    assert [one.announcement.item_id for one in found.matched] == ["7"]
    assert found.matched[0].evidence.address == "example.org/nocturnes"
    assert found.happening[0] == ("hk_events", "7")


def test_an_export_has_one_of_each_happening_where_that_is_wanted(emptied: Database) -> None:
    put(emptied, event(CITY), event(TICKETS), event(GUIDE, title="Another evening"))

    def chosen(session: Session, *ids: str, **priorities: int) -> list[str]:
        return Snapshot(session, SOURCE).one_of_each_cluster(list(ids), priorities)

    everything = (CITY, GUIDE, TICKETS)
    assert emptied.look(lambda session: chosen(session, *everything)) == [CITY, GUIDE]
    believed = emptied.look(lambda session: chosen(session, *everything, tickets=1))
    assert believed == [GUIDE, TICKETS]
    assert emptied.look(lambda session: chosen(session, GUIDE, TICKETS)) == [GUIDE, TICKETS]


def test_what_only_sounds_the_same_is_not(emptied: Database) -> None:
    put_events(emptied)

    put(
        emptied,
        event(CITY, venue=Place("City Hall (Concert Hall)", city="Macao")),
        event(TICKETS, title="Nocturnes by Lamplight II"),
        event(GUIDE, start=START + timedelta(days=2)),
    )

    assert tiers(emptied) == {}


def test_an_event_that_changes_or_goes_changes_its_matches(emptied: Database) -> None:
    put_events(emptied)
    put(emptied, event(CITY, start=START + timedelta(days=3)))
    before = tiers(emptied)

    put(emptied, event(CITY))
    then = tiers(emptied)
    emptied.do(lambda session: takedown.take_down(session, HK_EVENTS, "7", "asked") and None)

    assert (before, then) == ({}, {(CITY, "7"): Tier.EXACT})
    assert tiers(emptied) == {}


def test_an_event_of_which_it_is_doubtful_that_it_is_one_waits_and_is_kept(
    emptied: Database,
) -> None:
    sure = event(CITY)
    button = event(TICKETS, title="Learn More", start=None, end=None, venue=None, sources={})
    doubtful = event(GUIDE, start=None, end=None, all_day=None, description="High.", sources={})
    put(emptied, sure, button, doubtful)
    soon, late = "2026-11-20T02:00:00.000Z", "2026-11-21T02:00:00.000Z"

    kinds = {one.event_id: one.classification and one.classification.kind for one in (sure, button)}
    waiting = reviewed(emptied, soon)
    passed = reviewed(emptied, late, waiting=False)
    emptied.do(lambda session: reviews.decide(session, SOURCE, GUIDE, Verdict.REJECTED, late))
    put(emptied, event(GUIDE))

    assert kinds == {CITY: Announced.EVENT, TICKETS: Announced.INVALID}
    assert [one.item_id for one in waiting] == [GUIDE]
    assert (waiting[0].title, 0.5 <= waiting[0].confidence < 0.7) == (CONCERT.title, True)
    assert [one.standing for one in passed] == [Standing.PASSED]
    assert reviewed(emptied, late) == ()
    [said] = reviewed(emptied, late, SOURCE, waiting=False)
    assert (said.standing, said.is_event) == (Standing.REJECTED, False)
    assert len(list(emptied.look(lambda session: list(items.load_all(session, SOURCE))))) == 3


def test_two_sites_that_are_stored_at_once_do_not_miss_each_other(postgres_url: str) -> None:
    with closing(Database(postgres_url)) as one, closing(Database(postgres_url)) as other:
        one.open()

        with ThreadPoolExecutor(1) as threads:

            def store_and_let_the_other_come(session: Session) -> Future[None]:
                storing.save(session, SOURCE, event(CITY), [])
                coming = threads.submit(put, other, event(TICKETS))
                while not coming.done() and not session.scalar(WAITING):
                    pass
                return coming

            one.do(store_and_let_the_other_come).result()

        assert tiers(one) == {(CITY, TICKETS): Tier.EXACT}

"""Making an event anew of its own pieces of the files."""

from sqlalchemy import update

from n8n_scraper.core.computing import compute
from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.source import Provenance
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import announcing, matches
from n8n_scraper.records.rereading.anew import Unreadable, differences, reread
from n8n_scraper.records.rereading.blocks import compare, store
from n8n_scraper.sources.hk_events.invented import InventedEvents
from n8n_scraper.sources.hk_events.item import PART
from n8n_scraper.sources.hk_events.pieces import cut
from n8n_scraper.sources.hk_events.source import SOURCE
from tests import storing
from tests.unit.sources.hk_events.given import event_of

TABLE = SOURCE.kind().table()
PROVENANCE = Provenance("https://events.example.org", "run", "2026-11-01T12:00:00.000Z", 0.5)


def test_every_event_is_made_anew_as_it_was_and_what_was_read_worse_is_mended() -> None:
    stock, kind = InventedEvents(40), SOURCE.kind()
    for one in cut(stock.venues_file(), stock.dates_file(), stock.events_file()):
        # Given an event as a crawl has stored it
        answer = Answer(PART, PROVENANCE.site, 200, one.body, PROVENANCE.scraped_at)
        dossier = Dossier(Planned(one.event_id), started=0.0)
        kind.read(dossier, answer)
        event = kind.assemble(dossier, PROVENANCE)
        compute(kind.computed, event)
        row = kind.row(event)

        # When it is read anew, then it is the same, and only what an older reader had wrong differs
        again = reread(SOURCE, row, {PART: answer})

        assert not isinstance(again, Unreadable)
        assert differences(row, kind.row(again)) == {}
        assert differences({**row, "schedule_doubts": ["?"]}, kind.row(again)) == {
            "schedule_doubts": row["schedule_doubts"]
        }


def test_what_an_event_announces_follows_from_what_is_read_anew(emptied: Database) -> None:
    # Given two events of one title, day and room, one of which an older reader has read wrong
    stock = InventedEvents(1)
    [piece] = cut(stock.venues_file(), stock.dates_file(), stock.events_file())
    for event_id in (piece.event_id, "200001"):
        body = piece.body.replace(piece.event_id.encode(), event_id.encode())
        answer = Answer(PART, PROVENANCE.site, 200, body, PROVENANCE.scraped_at)
        event = event_of(event_id, body)
        emptied.do(lambda session, one=event, of=answer: storing.save(session, SOURCE, one, [of]))
    wrong = update(TABLE).where(TABLE.c.event_id == "200001").values(title="?", title_zh="?")
    emptied.do(lambda session: session.execute(wrong) and None)
    emptied.do(lambda session: announcing.note_stored(session, SOURCE, "200001"))
    before = emptied.look(matches.all_matches)

    # When it is read anew
    compared = emptied.look(lambda session: compare(session, SOURCE, ["200001"], ()))
    emptied.do(lambda session: store(session, SOURCE, compared, ()))

    # Then the two announce the same again
    assert before == []
    assert len(emptied.look(matches.all_matches)) == 1

"""After a take-down nothing that was written in an item is left, in whichever table and field."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Column, LargeBinary, Text, select, text, update
from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import Answer
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.core.packing import pack
from n8n_scraper.ledger import items as queue
from n8n_scraper.ledger import takedowns
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Closing, State
from n8n_scraper.ledger.tables import DomainEventRow, DomainRow, RunItemRow
from n8n_scraper.ledger.wiping import wipe
from n8n_scraper.records import pictures, takedown, transcripts
from n8n_scraper.records.tables import LookAlikesRow
from n8n_scraper.records.takedown import ACCOUNTED_FOR, TakenDown
from n8n_scraper.sources import all_sources
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.source import SOURCE
from tests import templates
from tests.every_table import METADATA
from tests.unit.exports.given import filled
from tests.unit.ledger.given import a_run, claim, close, hold
from tests.unit.records.test_pictures import row as picture

PLAIN = "2026-01-02T03:04:05.678Z"
MARK = "2026-01-02Tonly-in-this-template"
ANSWER = Answer("json", "http://x", 200, b"as it came", PLAIN)
WHY = "the author asked"


def marked(workflow_id: str = "7", mark: str = MARK) -> Template:
    """Give a template in which every text holds the mark."""
    every = filled(Template, workflow_id=workflow_id).model_dump(mode="json")
    said = json.loads(json.dumps(every).replace(PLAIN, mark))
    return Template.model_validate(said | {"run_id": "run", "removed_at": None})


def some(column: Column[Any]) -> Any:
    """Give a column a value with the mark in it, where it takes one."""
    if isinstance(column.type, JSON):
        return {"said": MARK}
    if isinstance(column.type, LargeBinary):
        return MARK.encode()
    return MARK if isinstance(column.type, Text) else 1


def add(database: Database, name: str, **known: Any) -> None:
    """Put a row into a table, with the mark wherever it takes one."""
    table = METADATA.tables[name]
    row = {column.name: some(column) for column in table.columns}
    row |= {name: value for name, value in known.items() if name in row}
    known_as = [column == row[column.name] for column in table.primary_key]

    def replace(session: Session) -> None:
        session.execute(table.delete().where(*known_as))
        session.execute(table.insert(), [row])

    database.do(replace)


def a_full_archive(database: Database) -> str:
    """Give an archive that has something of a template in every table that can have it."""
    run_id = a_run(database, "7", "8", "9")
    database.do(lambda session: templates.save(session, marked(), [ANSWER]))
    for name, table in METADATA.tables.items():
        is_done = name in ("workflows", "search_items", *ACCOUNTED_FOR)
        if not is_done and takedown.rows_of(table.columns.keys(), SOURCE.key):
            add(database, name, source="n8n", item_id="7", workflow_id="7", run_id=run_id, at="2")
    for one, other in (("7", "8"), ("5", "7"), ("5", "8")):
        add(database, "look_alikes", source="n8n", item_id=one, other_id=other, similarity=0.9)
    add(database, "video_transcripts", video_id=MARK)
    add(database, "scrape_run_answers", run_id=run_id, item_id="7")
    shown = picture(MARK, path="ab/ab.png", text=MARK)
    database.do(lambda session: pictures.save(session, [shown]))
    about = {"item_id": "7", "state": "failed", "reason": MARK}
    sent = dict.fromkeys(("channel", "key", "state", "holder", "written_at", "ended_at"), "x")
    add(database, "outbox", topic=run_id, payload=about, **sent)
    line = update(RunItemRow).where(RunItemRow.item_id == "7")
    said = line.values(listing={"slug": MARK}, url=MARK)
    database.do(lambda session: session.execute(said) and None)
    return run_id


def take_down(database: Database, item_id: str = "7") -> TakenDown:
    return database.do(lambda session: takedown.take_down(session, SOURCE, item_id, WHY))


def of(database: Database, question: Any) -> list[Any]:
    """Ask for one column."""
    return database.look(lambda session: list(session.scalars(question)))


def with_the_mark(database: Database) -> list[str]:
    """Name each table, once a row in which something of the template stands."""

    def look(session: Session) -> list[str]:
        rows = ((name, session.execute(text(f"SELECT * FROM {name}"))) for name in METADATA.tables)  # noqa: S608 - ours
        return [name for name, found in rows for row in found if MARK in _readable(row)]

    return database.look(look)


def _readable(row: Any) -> str:
    return repr([bytes(one) if isinstance(one, memoryview) else one for one in row])


def test_every_table_is_emptied_or_accounted_for() -> None:
    keys = [source.key for source in all_sources()]

    forgotten = [
        name
        for name, table in METADATA.tables.items()
        if name not in ACCOUNTED_FOR
        and not any(takedown.rows_of(table.columns.keys(), key) for key in keys)
    ]

    assert forgotten == [], "say in records/takedown.py what becomes of an item's rows there"


def test_nothing_of_an_item_is_left_in_any_row(database: Database) -> None:
    a_full_archive(database)
    assert set(with_the_mark(database)) > {"workflows", "item_events", "scrape_run_items"}

    done = take_down(database)

    assert with_the_mark(database) == []
    assert done == TakenDown("7", was_stored=True, pictures=("ab/ab.png",))
    # ... what is of others is as it was
    assert of(database, select(LookAlikesRow.item_id)) == ["5"]
    assert sorted(of(database, select(RunItemRow.item_id))) == ["8", "9"]
    # ... and the note says why
    (note,) = database.look(lambda session: takedowns.noted(session, "n8n"))
    assert (note.item_id, note.why) == ("7", WHY)


def test_nothing_of_it_is_left_in_the_bytes_of_the_file(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/a.db")
    run_id = a_full_archive(database)
    close(database, run_id, "7", Outcome.COMPLETE)
    packed = pack(ANSWER.body)
    assert {MARK.encode() in whole(tmp_path), packed in whole(tmp_path)} == {True}

    take_down(database)
    assert wipe(database) is None

    assert MARK.encode() not in whole(tmp_path)
    assert packed not in whole(tmp_path)
    database.close()


def test_a_file_that_is_still_read_as_it_was_is_told(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/a.db")
    a_full_archive(database)
    with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM workflows").fetchone()

        with closing(database.engine.raw_connection()) as mine:
            mine.cursor().execute("PRAGMA busy_timeout=50")
        why = wipe(database)

    assert why == "another process still reads it as it was"
    database.close()


def whole(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


def test_what_other_items_show_as_well_stays(database: Database) -> None:
    a_full_archive(database)
    database.do(lambda session: templates.save(session, marked("8"), []))

    assert take_down(database).pictures == ()
    assert database.look(lambda session: transcripts.is_named(session, MARK))
    assert take_down(database, "8").pictures == ("ab/ab.png",)


def test_an_ended_line_keeps_its_id_and_how_it_ended(database: Database) -> None:
    run_id = a_run(database, "7")
    closing = Closing("7", State.FAILED, Outcome.FAILED, "not_found", f"404 at /{MARK}", 404)
    fence = hold(database, run_id, "7").fence
    assert database.do(lambda session: queue.close(session, run_id, "box:1:x", fence, closing))

    take_down(database)

    line = database.look(lambda session: session.get_one(RunItemRow, (run_id, "7")))
    assert (line.state, line.category, line.http_status) == ("failed", "not_found", 404)
    assert (line.reason, line.listing) == (None, None)
    # ... and is not tried again
    reopened = database.do(
        lambda session: queue.reopen_failed(session, run_id, ["not_found"], "2000")
    )
    assert reopened == 0


def test_an_item_that_a_worker_holds_is_not_stored_and_nobody_waits_for_it(
    database: Database,
) -> None:
    run_id = a_run(database, "7", "8")
    held = {one.item_id: one.fence for one in claim(database, run_id, 2)}
    closing = Closing("7", State.DONE, Outcome.COMPLETE)

    take_down(database)

    assert not database.do(
        lambda session: queue.close(session, run_id, "box:1:x", held["7"], closing)
    )
    close(database, run_id, "8", Outcome.COMPLETE)
    assert not database.do(lambda session: queue.is_left(session, run_id))


def test_what_was_planned_beside_a_take_down_is_refused_when_it_is_closed(
    database: Database,
) -> None:
    # Given a line that the take-down could not see
    run_id = a_run(database, "7")
    (held,) = claim(database, run_id, 1)
    database.do(lambda session: takedowns.note(session, "n8n", "7", WHY))

    # When its holder closes it
    closing = Closing("7", State.DONE, Outcome.COMPLETE)
    closed = database.do(
        lambda session: queue.close(session, run_id, "box:1:x", held.fence, closing)
    )

    # Then it does not, and the run is over
    assert not closed
    assert not database.do(lambda session: queue.is_left(session, run_id))


def test_it_is_planned_by_no_run_until_the_note_is_taken_back(database: Database) -> None:
    take_down(database)

    run_id = a_run(database, "6", "7", "8")
    planned = database.look(
        lambda session: session.execute(select(RunItemRow.item_id, RunItemRow.position)).all()
    )
    assert sorted(map(tuple, planned)) == [("6", 0), ("8", 1)]

    assert database.do(lambda session: takedown.undo(session, SOURCE, "7"))
    assert not database.do(lambda session: takedown.undo(session, SOURCE, "7"))
    again = a_run(database, "7")
    assert [one.item_id for one in claim(database, again, 1)] == ["7"]
    assert run_id != again


def test_what_comes_late_for_it_is_not_kept(database: Database) -> None:
    # Given a template that was taken down while its video and its picture were asked for
    database.do(lambda session: templates.save(session, marked(), []))
    take_down(database)

    # When they come
    rows = [picture(MARK, path="ab/ab.png")]
    left = database.do(lambda session: pictures.save_of_item(session, SOURCE, "7", rows))
    database.do(lambda session: transcripts.settle_item(session, SOURCE, "7", [MARK]))

    # Then nothing is stored, and the file is to be deleted
    assert left == ["ab/ab.png"]
    assert with_the_mark(database) == []


def test_no_address_of_it_is_left_where_a_domain_was_left_alone(database: Database) -> None:
    # Given circuits that were tripped by its page, and by pages of others
    said = {
        "https://n8n.io/workflows/7-a-slug-of-its-title": "status 503",
        "https://n8n.io/workflows/77-another": None,
        "https://n8n.io/workflows/8-with-7up": None,
    }
    for number, address in enumerate(said):
        add(
            database, "domains", domain=f"{number}", circuit_tripped_by=f"status 503 from {address}"
        )
        add(database, "domain_events", domain=f"{number}", tripped_by=f"status 503 from {address}")

    # When it is taken down
    take_down(database)

    # Then its own address is gone, and nothing else
    left = [what or f"status 503 from {address}" for address, what in said.items()]
    for column in (DomainRow.circuit_tripped_by, DomainEventRow.tripped_by):
        assert sorted(of(database, select(column))) == sorted(left)

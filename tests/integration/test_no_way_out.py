"""After a take-down nothing of an item comes out: by no export, page, feed, answer or tool."""

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pyarrow import parquet

from n8n_scraper.assistants.tool import Tool
from n8n_scraper.assistants.tools import tools
from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.computing import compute
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.core.transcript import Transcript, TranscriptOutcome
from n8n_scraper.exports.exporting import Order, export
from n8n_scraper.exports.filters import read_filters
from n8n_scraper.exports.formats import formats_of
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.ledger import Closing, State
from n8n_scraper.policies.safety.redaction import Redaction
from n8n_scraper.records import pictures, transcripts
from n8n_scraper.records.choosing import Snapshot
from n8n_scraper.search.found import Question
from n8n_scraper.search.searching import find
from n8n_scraper.serve.application import make_application
from n8n_scraper.serve.archive import Archive
from n8n_scraper.serve.report import report_of
from n8n_scraper.sources.n8n.rules.computed import COMPUTED
from n8n_scraper.sources.n8n.source import SOURCE
from tests import templates
from tests.crawling import scrapy
from tests.serving import LOOPBACK, Served, served
from tests.unit.ledger.given import a_run, close_as
from tests.unit.making import WORKFLOW, dossier, template
from tests.unit.records.test_pictures import row as picture

ID, OTHER = "919191919", "8"
MARK, ASKED = "zirkonwort", "kaltwasser"
"""What stands in all texts of one template; and what both have, so that it can be asked for."""
PICTURE = b"\x89PNG\r\n\x1a\n these bytes are of one picture alone"
SHA, VIDEO = "f00f00", "zirkonwort0"
LINES_OF_RUNS = re.compile(r"^report|/runs/|/api/runs/|/api/scrape-runs|/failures")
"""Where the id stays, as the line of a run keeps it."""
NAME = re.compile(r"{(\w+)}")


@dataclass
class Place:
    """An archive with both templates, a run, and the pictures beside them."""

    url: str
    folder: Path
    run: str

    @property
    def pictures(self) -> Path:
        return self.folder / "pictures"


def fields(mark: str, address: str) -> dict[str, Any]:
    """Give what an author writes, with the mark in each text."""
    video = f"https://youtu.be/{VIDEO}" if mark else ""
    note = {"name": mark, "type": "n8n-nodes-base.stickyNote", "position": [0, 90]}
    nodes = [*WORKFLOW["nodes"], {**note, "parameters": {"content": f"## {mark}"}}]  # type: ignore[misc]
    return {
        "name": f"{ASKED} {mark}",
        "description": f"{mark} {ASKED}, ![{mark}]({address}) {video}",
        "user": {"name": mark, "username": mark, "bio": mark, "avatar": address, "links": []},
        "categories": [{"id": 5, "name": f"Engineering {mark}".strip()}],
        "image": [{"id": 1, "url": address}],
        "workflow": {**WORKFLOW, "nodes": nodes, "meta": {"said": mark}},
    }


def store(database: Database, item_id: str, mark: str, address: str) -> None:
    said = fields(mark, address)
    made, answers = template(item_id, **said), list(dossier(item_id, **said).answers.values())
    compute(COMPUTED, made)
    database.do(partial(templates.save, template=made, answers=answers))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    url = f"sqlite:///{tmp_path}/archive.db"
    address = f"https://example.com/{MARK}.png"
    with closing(Database(url)) as database:
        run = a_run(database, ID, OTHER)
        store(database, OTHER, "", "https://example.com/other.png")
        store(database, ID, f"{MARK} before", address)
        store(database, ID, MARK, address)
        close_as(database, run, Closing(ID, State.FAILED, Outcome.FAILED, "parse", MARK))
        close_as(database, run, Closing(OTHER, State.DONE, Outcome.COMPLETE))
        had = {"sha256": SHA, "path": f"{SHA}.png", "media_type": "image/png", "text": MARK}
        database.do(lambda session: pictures.save(session, [picture(address, **had)]))
        words = Transcript(video_id=VIDEO, outcome=TranscriptOutcome.OK, text=f"{MARK} {ASKED}")
        database.do(partial(transcripts.store, transcript=words))
    made = Place(url, tmp_path, run)
    made.pictures.mkdir()
    (made.pictures / f"{SHA}.png").write_bytes(PICTURE)
    return made


Said = dict[str, bytes]
"""What comes out, by the way that it has taken."""


def exported(place: Place, database: Database) -> Said:
    """Write every format that there is."""
    said: Said = {}
    for name, form in formats_of(SOURCE).items():
        folder = place.folder / f"made-{name}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        filters = read_filters({}, utc_now(), SOURCE)
        order = Order(SOURCE, name, form, folder / "x", filters, {}, Redaction.OFF)
        database.look(lambda session, order=order: export(Snapshot(session, SOURCE), order))
        files = [one for one in folder.rglob("*") if one.is_file()]
        said |= {f"export {name} {file.name}": plain(file) for file in files}
    return said


def plain(file: Path) -> bytes:
    """Give the bytes of a file; what it has packed is unpacked."""
    if file.read_bytes()[:4] == b"PAR1":
        return repr(parquet.read_table(file).to_pylist()).encode()
    return file.read_bytes()


def paths_of(place: Place) -> list[str]:
    """Give every address that `scrapy serve` answers to a reader, and what asks for more there."""
    values = {
        "run": [place.run],
        "item": [ID],
        "id": [ID, "1"],
        "part": ["metadata", "json"],
        "domain": ["n8n.io"],
        "facet": ["category", "author", "node"],
        "value": ["n8n-nodes-base.httpRequest"],
        "older": ["1"],
        "newer": ["2"],
        "version": ["1", "2"],
        "source": ["n8n"],
        "name": [f"{SHA}.png"],
        "key": ["of-a-friend"],
    }
    paths = [path for form in sorted(routes(place)) for path in filled(form, values)]
    asked = [f"{path}?{how}={ASKED}" for path in paths for how in asks(path)]
    return [*paths, *asked]


def filled(form: str, values: Mapping[str, list[str]]) -> Iterator[str]:
    """Put each value into an address that has names in it."""
    for chosen in product(*(values[name] for name in NAME.findall(form))):
        yield NAME.sub("{}", form).format(*chosen)


def asks(path: str) -> list[str]:
    """Name what asks for words at an address."""
    if path in ("/templates", "/templates/feed.atom"):
        return ["q"]
    return ["search"] if path.endswith("/templates/search") else []


def routes(place: Place) -> set[str]:
    """Ask the application itself, so that what is added to it is tried here as well."""
    archive = Archive(place.url, look_seconds=5)
    app = make_application(archive, LOOPBACK)
    archive.close()
    forms = {one.resource.canonical for one in app.router.routes() if one.resource is not None}
    # What is live tells the same page whenever that changes.
    return {form for form in forms if not form.startswith("/live") and form != "/mcp"}


def shown(place: Place, server: Served) -> Said:
    said: Said = {}
    for path in paths_of(place):
        answer = server.get(path)
        assert answer.status_code < 500, path
        said[path] = answer.content + repr(answer.headers).encode()
    return said


def told_to_assistants(database: Database) -> Said:
    """Ask every tool for everything."""
    said: Said = {}
    for name, tool in tools().items():
        for given in (
            {"id": ID, "field": "description"},
            {"id": ID, "field": "workflow", "older": 1, "newer": 2},
            {"query": ASKED, "facet": "author"},
            {"query": ASKED, "facet": "category"},
        ):
            known = {one.encode_name for one in msgspec.structs.fields(tool.takes)}
            asked = {key: value for key, value in given.items() if key in known}
            with suppress(msgspec.ValidationError):
                said[f"{name} {asked}"] = answer_of(tool, database, asked)
    return said


def answer_of(tool: Tool[Any], database: Database, asked: dict[str, Any]) -> bytes:
    asked_for = msgspec.convert(asked, tool.takes)
    try:
        return json.dumps(tool.answer(database, asked_for)).encode()
    except BadInput as error:
        return b"" if ID in str(error) else str(error).encode()  # that it is not there


def all_that_comes_out(place: Place) -> dict[str, Said]:
    """Give it by kinds of ways."""
    options = replace(LOOPBACK, pictures=str(place.pictures))
    with closing(Database(place.url)) as database, served(place.url, options) as server:
        found = find(database, SOURCE, Question(words=ASKED, with_facets=True))
        return {
            "exports": exported(place, database),
            "addresses": shown(place, server),
            "tools": told_to_assistants(database),
            "search": {"search": json.dumps(found.as_json()).encode()},
            "report": {"report": report_of(database).encode()},
            "pictures": {one.name: one.read_bytes() for one in place.pictures.iterdir()},
        }


def ways(said: dict[str, Said], *marks: bytes) -> list[str]:
    """Name each way by which one of these comes out."""
    return [
        way
        for each in said.values()
        for way, content in each.items()
        if any(mark in content.lower() for mark in marks)
    ]


def test_no_word_no_picture_and_no_id_of_it_comes_out_by_any_way(place: Place) -> None:
    before = all_that_comes_out(place)
    taken = scrapy(
        *("takedown", ID, "--why", "the author asked"),
        environment={"DATABASE_URL": place.url, "PICTURES_DIR": str(place.pictures)},
    )
    assert taken.status == 0, taken.err
    after = all_that_comes_out(place)

    # Given that it came out by each kind of way
    was = {
        kind: ways({kind: said}, MARK.encode(), PICTURE.lower()) for kind, said in before.items()
    }
    assert all(was[kind] for kind in was.keys() - {"report"})
    # Then no word of it does, and nothing of the picture
    assert ways(after, MARK.encode(), PICTURE.lower(), SHA.encode()) == []
    # ... and its id only where a run says which items it had, or who asked has named it
    with_the_id = [way for way in ways(after, ID.encode()) if ID not in way]
    assert [way for way in with_the_id if not LINES_OF_RUNS.search(way)] == []
    # ... while the other template comes out as before
    assert ways(after, ASKED.encode())

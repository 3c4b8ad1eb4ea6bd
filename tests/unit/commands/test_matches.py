"""What `scrapy matches` and `scrapy review` say, over two sources in one archive."""

import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from scrapy.settings import Settings

from n8n_scraper.commands import matches, review
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import history
from n8n_scraper.records.announcing import note_stored
from n8n_scraper.sources.hk_events.source import SOURCE as HK_EVENTS
from tests.crawling import scrapy
from tests.unit.records.announcing import (
    ROOM,
    TITLE,
    let_announce,
    let_be_doubted,
    put,
    put_events,
)

Asked = Callable[..., list[str]]


@pytest.fixture
def archive(quotes: Source, sqlite_url: str) -> Iterator[Database]:
    """An archive of two sources, of which nothing is stored yet."""
    database = Database(sqlite_url)
    database.open()
    yield database
    database.close()


@pytest.fixture
def asked(archive: Database, capsys: pytest.CaptureFixture[str]) -> Asked:
    """Ask a command, and give the lines that it says."""

    def ask(command: Any, *args: str, **options: Any) -> list[str]:
        settings = Settings({"DATABASE_URL": archive.engine.url.render_as_string()})
        given = {"source": None, "json": False, "rebuild": False, "all": False} | options
        command.run(settings, list(args), Namespace(**given))
        return capsys.readouterr().out.splitlines()

    return ask


def test_a_happening_is_told_with_all_that_announce_it_and_why(
    quotes: Source, archive: Database, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_announce(quotes, monkeypatch)
    put_events(archive)
    nothing = asked(matches)
    put(archive, quotes, "q1", TITLE, *ROOM)
    archive.do(lambda session: history.note_gone(session, HK_EVENTS, "run", "7"))

    told = asked(matches)

    assert nothing == ["No two items announce the same happening."]
    assert told[0] == f"{TITLE} (2026-03-07)"
    assert told[1].startswith("  keep  quotes q1  ")
    assert told[2].startswith("        hk_events 7  Nocturnes by Lamplight, 2026-03-07, City Hall")
    assert ", removed 20" in told[2]
    assert told[3] == ("    hk_events 7 = quotes q1: fuzzy: title 100%, day 2026-03-07, venue 100%")
    [group] = [json.loads(line) for line in asked(matches, json=True)]
    assert [one["item_id"] for one in group["announcements"]] == ["q1", "7"]
    assert group["matches"][0]["evidence"]["venue"]["one"] == "City Hall (Concert Hall)"
    assert asked(matches, source="hk_events") == told


def test_what_matches_one_item_is_told_from_its_side(
    quotes: Source, archive: Database, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_announce(quotes, monkeypatch)
    put_events(archive)
    put(archive, quotes, "q1", TITLE, *ROOM)

    first, other, why, keep = asked(matches, "q1")
    found = json.loads(asked(matches, "q1", json=True)[0])

    assert first.startswith(
        "quotes q1  NOCTURNES by Lamplight, 2026-03-07, Concert Hall, City Hall"
    )
    assert other.startswith("  = hk_events 7  ")
    assert why == "    fuzzy: title 100%, day 2026-03-07, venue 100%"
    assert keep == "To keep: hk_events 7"
    assert found["matches"][0]["evidence"]["title"]["one"] == TITLE
    assert found["happening"] == [["hk_events", "7"], ["quotes", "q1"]]
    assert asked(matches, "8")[1:] == ["Nothing in the archive announces the same."]


def test_what_was_never_compared_is_told_and_compared_on_demand(
    quotes: Source,
    archive: Database,
    asked: Asked,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    put(archive, quotes, "q1", TITLE, *ROOM)
    let_announce(quotes, monkeypatch)
    put_events(archive)

    matches.run(
        Settings({"DATABASE_URL": archive.engine.url.render_as_string()}),
        [],
        Namespace(source=None, json=False, rebuild=False),
    )
    warned = capsys.readouterr().err
    [rebuilt] = asked(matches, rebuild=True)

    assert "quotes: 1 quote never compared; run `scrapy matches --rebuild`." in warned
    assert rebuilt.startswith("3 items compared in ")
    assert rebuilt.endswith(": 2 of them in 1 group of the same happening.")
    assert asked(matches, "q1")[-1] == "To keep: hk_events 7"


def test_a_person_says_what_an_item_is(
    quotes: Source, archive: Database, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_be_doubted(quotes, monkeypatch)
    nothing = asked(review, "list")
    put(archive, quotes, "q1", TITLE, "0.6")
    archive.do(lambda session: note_stored(session, quotes, "q1"))

    # It was seen long ago: nobody has said anything in time.
    passed = asked(review, "list", all=True)
    said = asked(review, "reject", "q1")
    decided = json.loads(asked(review, "list", all=True, json=True)[0])

    assert nothing == ["Nothing waits to be reviewed."]
    assert passed[:3] == [
        f"quotes q1  {TITLE}",
        "  passed since 2026-11-01T00:00Z; it counts as an event",
        "  taken for: event, 60% sure",
    ]
    assert said == ["quotes q1 is no event; that holds however often it is crawled again."]
    assert (decided["standing"], decided["is_event"]) == ("rejected", False)
    assert asked(review) == nothing


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("matches", "1", "2"), "write: scrapy matches"),
        (("matches", "7"), "the archive has no item '7' that was compared."),
        (("matches", "7", "--source", "n8n"), "templates of n8n are not matched with each other."),
        (("review", "perhaps"), "write: scrapy review list"),
        (("review", "accept", "no such id"), "the archive has no item 'no such id'"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(
    archive: Database, command: tuple[str, ...], words: str
) -> None:
    environment = {"DATABASE_URL": archive.engine.url.render_as_string()}

    ran = scrapy(*command, environment=environment)

    assert ran.status == 2
    [line] = ran.err.splitlines()
    assert words in line

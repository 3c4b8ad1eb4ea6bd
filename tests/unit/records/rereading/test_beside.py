"""What an item has besides its answers stays with it when it is made anew."""

from typing import Any

from n8n_scraper.core.transcript import Transcript, TranscriptOutcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import transcripts
from n8n_scraper.records.rereading.beside import with_its_words
from n8n_scraper.sources.n8n.source import SOURCE

ROW: dict[str, Any] = {
    "videos": [{"video_id": "aaaaaaaaaaa"}],
    "transcripts": None,
    "unobserved": {"transcripts": "not asked for yet", "price": "?"},
    "sources": {"videos": "content"},
}


def made(database: Database, record: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    return database.look(lambda session: with_its_words(session, SOURCE, record, row))


def test_the_words_of_the_same_videos_are_those_of_the_record(database: Database) -> None:
    had = ROW | {
        "transcripts": [{"video_id": "aaaaaaaaaaa", "outcome": "ok", "text": "Hello."}],
        "unobserved": {"price": "?"},
        "sources": {"videos": "content", "transcripts": "video host"},
    }
    pending = ROW | {"unobserved": {"transcripts": "the video host has not been asked yet"}}

    assert made(database, had, ROW) == had
    assert made(database, pending, ROW)["unobserved"] == {
        "price": "?",
        "transcripts": "the video host has not been asked yet",
    }


def test_other_videos_have_the_words_that_are_known_of_them(database: Database) -> None:
    heard = Transcript(video_id="aaaaaaaaaaa", outcome=TranscriptOutcome.OK, text="Hello.")
    before = ROW | {"videos": [{"video_id": "bbbbbbbbbbb"}]}

    unknown = made(database, before, ROW)
    database.do(lambda session: transcripts.store(session, heard))
    known = made(database, before, ROW)

    assert unknown["transcripts"] is None
    assert unknown["unobserved"]["transcripts"] == "the video host has not been asked yet"
    assert [one["text"] for one in known["transcripts"]] == ["Hello."]
    assert known["sources"]["transcripts"] == transcripts.FROM
    assert "transcripts" not in known["unobserved"]


def test_an_item_without_videos_keeps_what_was_computed(database: Database) -> None:
    for videos in ([], None):
        row = ROW | {"videos": videos, "transcripts": videos}
        assert made(database, ROW, row) == row

"""What came of videos and pictures."""

from n8n_scraper.ledger.database import Database
from n8n_scraper.records import pictures, transcripts
from n8n_scraper.reports.media import (
    StoredPicture,
    pictures_report,
    stored_picture,
    stored_pictures,
    transcripts_report,
)


def test_videos_are_counted_by_what_came_of_them(database: Database) -> None:
    database.do(lambda session: transcripts.note_pending(session, ["a", "b"]))

    report = transcripts_report(database)

    assert (report.outcomes, report.videos, report.newest) == ({"pending": 2}, 2, None)


def row(url: str, **values: object) -> dict[str, object]:
    empty = dict.fromkeys(("sha256", "path", "bytes", "width", "height", "media_type", "text"))
    return empty | {"url": url, "reason": None, "fetched_at": "2026-11-01"} | values


def test_a_file_that_two_addresses_lead_to_is_stored_once(database: Database) -> None:
    # Given two addresses of one file, and one of none
    rows = [
        row("https://x/a", sha256="f00", bytes=10),
        row("https://x/b", sha256="f00", bytes=10, fetched_at="2026-11-02"),
        row("https://x/c", reason="gone"),
    ]
    database.do(lambda session: pictures.save(session, rows))

    report = pictures_report(database)

    assert (report.stored, report.files, report.bytes) == (2, 1, 10)
    assert (report.not_had, report.newest) == ({"gone": 1}, "2026-11-02")


def test_where_nothing_was_asked_for_there_is_nothing(database: Database) -> None:
    assert pictures_report(database).stored == transcripts_report(database).videos == 0


def test_a_picture_is_found_by_its_address_and_by_its_fingerprint(database: Database) -> None:
    had = row("https://x/a", sha256="f00", path="f0/f00.png", media_type="image/png")
    database.do(lambda session: pictures.save(session, [had, row("https://x/c", reason="gone")]))

    picture = StoredPicture("f0/f00.png", "image/png")
    assert stored_pictures(database, ["https://x/a", "https://x/c", "https://x/none"]) == {
        "https://x/a": picture
    }
    assert stored_picture(database, "f00") == picture
    assert stored_picture(database, "bad") is None

"""What came of each picture."""

from typing import Any

from sqlalchemy import select

from n8n_scraper.ledger.database import Database
from n8n_scraper.records import pictures
from n8n_scraper.records.tables import StoredImageRow

URL = "https://example.com/a.png"


def row(url: str = URL, **found: Any) -> dict[str, Any]:
    names = ("sha256", "path", "bytes", "width", "height", "media_type", "text", "reason")
    return {"url": url, **dict.fromkeys(names), "fetched_at": "2026-01-01T00:00:00Z"} | found


def test_a_picture_is_known_when_it_is_stored(database: Database) -> None:
    rows = [row(sha256="ab", path="ab/ab.png", bytes=7), row("https://example.com/b", reason="404")]

    database.do(lambda session: pictures.save(session, rows))

    urls = [URL, "https://example.com/b", "https://example.com/c"]
    assert database.do(lambda session: pictures.known(session, urls)) == {URL}


def test_a_later_answer_replaces_an_earlier_one(database: Database) -> None:
    database.do(lambda session: pictures.save(session, [row(reason="status 503")]))

    database.do(lambda session: pictures.save(session, [row(sha256="ab", width=3, height=2)]))

    (found,) = database.do(lambda session: session.scalars(select(StoredImageRow)).all())
    assert (found.sha256, found.width, found.reason) == ("ab", 3, None)

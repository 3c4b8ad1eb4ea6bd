"""What a browser gets of the pictures that were fetched."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from n8n_scraper.ledger.database import Database
from n8n_scraper.records import pictures
from tests.serving import LOOPBACK, Served, served

PNG = b"\x89PNG\r\n\x1a\n and the rest"


@pytest.fixture
def site(database: Database, database_url: str, tmp_path: Path) -> Iterator[Served]:
    folder = tmp_path / "pictures"
    (folder / "f0").mkdir(parents=True)
    (folder / "f0" / "f00.png").write_bytes(PNG)
    (tmp_path / "secret").write_text("not to be served")
    rows = [
        picture("f00", "f0/f00.png"),
        picture("bad", "../secret"),
        picture("gone", "go/gone.png"),
    ]
    database.do(lambda session: pictures.save(session, rows))
    with served(database_url, replace(LOOPBACK, pictures=str(folder))) as server:
        yield server


def picture(sha256: str, path: str) -> dict[str, object]:
    empty = dict.fromkeys(("bytes", "width", "height", "text", "reason"))
    found = {"url": f"https://x/{sha256}", "sha256": sha256, "path": path}
    return empty | found | {"media_type": "image/png", "fetched_at": "2026-11-01"}


def test_a_picture_comes_as_it_was_fetched_and_may_be_kept(site: Served) -> None:
    answer = site.get("/pictures/f00.png")

    assert (answer.status_code, answer.content) == (200, PNG)
    assert answer.headers["Content-Type"] == "image/png"
    assert "immutable" in answer.headers["Cache-Control"]


ELSEWHERE = ["none.png", "gone.png", "bad.png", "..%2fsecret", "%00", "f00%00.png"]


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_the_archive_has_not_or_not_there_is_not_found(site: Served, name: str) -> None:
    answer = site.get(f"/pictures/{name}")

    assert answer.status_code == 404
    assert b"not to be served" not in answer.content


def test_pages_of_n8n_may_show_it(site: Served) -> None:
    answer = site.get("/pictures/f00.png", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors")

    assert answer.status_code == 200
    assert "Cross-Origin-Resource-Policy" not in answer.headers

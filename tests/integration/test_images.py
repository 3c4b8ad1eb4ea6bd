"""Pictures are fetched at the crawl's pace, and a picture that fails costs nothing."""

import hashlib
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from n8n_scraper.ledger.database import Database
from n8n_scraper.records.tables import StoredImageRow
from n8n_scraper.testing.hostile_site import Says, hostile_site
from tests.crawling import Ran, scrapy

pytestmark = pytest.mark.usefixtures("sqlite_url")

PIL = pytest.importorskip("PIL.Image")
SPIDER = Path(__file__).with_name("picture_spider.py")


def picture(width: int, height: int, kind: str = "PNG") -> bytes:
    stream = BytesIO()
    PIL.new("RGB", (width, height), "navy").save(stream, kind)
    return stream.getvalue()


PNG, JPEG = picture(30, 20), picture(16, 9, "JPEG")
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
ANSWERS = {
    "/a.png": (200, PNG),
    "/same.png": (200, PNG),
    "/b.jpg": (200, JPEG),
    "/c.svg": (200, SVG),
    "/text.png": (200, b"<html>no picture</html>"),
    "/empty.png": (200, b""),
    "/gone.png": (404, b"gone"),
}


class Handler(BaseHTTPRequestHandler):
    """Answers from the table, and notes when it was asked for what."""

    def do_GET(self) -> None:
        self.server.asked.append((self.path, time.monotonic()))  # type: ignore[attr-defined]
        if "slow" in self.path:
            self.server.under_way.add(self.path)  # type: ignore[attr-defined]
            self.server.at_once.append(len(self.server.under_way))  # type: ignore[attr-defined]
            time.sleep(0.3)
            self.server.under_way.discard(self.path)  # type: ignore[attr-defined]
        status, body = ANSWERS.get(self.path, (404, b""))
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Any]:
    """A server of pictures, with the log of what it was asked."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        running.asked, running.at_once, running.under_way = [], [], set()  # type: ignore[attr-defined]
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def site_of(server: Any) -> str:
    return f"http://127.0.0.1:{server.server_port}"


def crawl(folder: Path, site: str, urls: str, pages: str = "", **more: str) -> Ran:
    environment = {
        "DOWNLOAD_PICTURES": "1",
        "PICTURES_DIR": str(folder / "images"),
        "N8N_SITE_URL": site,
        "N8N_API_URL": site,
        "DATABASE_URL": f"sqlite:///{folder}/archive.db",
        "RATE_LIMIT_RATE": "50",
        **more,
    }
    asked = ("-a", f"urls={urls}", "-a", f"pages={pages}")
    return scrapy("runspider", str(SPIDER), *asked, environment=environment)


BY_ADDRESS = select(StoredImageRow).order_by(StoredImageRow.url)


def stored(folder: Path) -> dict[str, Any]:
    database = Database(f"sqlite:///{folder}/archive.db")
    rows = database.do(lambda session: session.scalars(BY_ADDRESS).all())
    database.close()
    return {row.url: vars(row) for row in rows}


def test_what_came_of_each_picture_is_kept(server: Any, tmp_path: Path) -> None:
    site = site_of(server)
    urls = " ".join(site + path for path in ANSWERS)

    ran = crawl(tmp_path, site, urls, PATH="/nowhere")  # so that nothing is there to read texts

    assert ran.status == 0, ran.err
    assert "Traceback" not in ran.err
    found = {url.removeprefix(site): row for url, row in stored(tmp_path).items()}
    assert set(found) == set(ANSWERS)
    a = found["/a.png"]
    assert a["sha256"] == hashlib.sha256(PNG).hexdigest()
    assert (a["bytes"], a["width"], a["height"]) == (len(PNG), 30, 20)
    assert a["media_type"] == "image/png"
    assert (a["text"], a["reason"]) == (None, "text not read: tesseract is not installed")
    assert (tmp_path / "images" / a["path"]).read_bytes() == PNG
    assert found["/same.png"]["path"] == a["path"]
    assert (found["/b.jpg"]["media_type"], found["/b.jpg"]["width"]) == ("image/jpeg", 16)
    assert (found["/c.svg"]["media_type"], found["/c.svg"]["width"]) == ("image/svg+xml", None)
    reasons = {path: row["reason"] for path, row in found.items() if row["sha256"] is None}
    assert reasons == {
        "/text.png": "the answer is no picture",
        "/empty.png": "the answer was empty",
        "/gone.png": "status 404",
    }


def test_a_picture_that_is_stored_is_not_asked_for_again(server: Any, tmp_path: Path) -> None:
    site = site_of(server)
    crawl(tmp_path, site, f"{site}/a.png|{site}/a.png {site}/gone.png")
    server.asked.clear()

    crawl(tmp_path, site, f"{site}/a.png {site}/gone.png")

    assert [path for path, _ in server.asked if path != "/robots.txt"] == ["/gone.png"]


def test_pictures_keep_the_pace(server: Any, tmp_path: Path) -> None:
    site = site_of(server)
    urls = " ".join(f"{site}/{number}.png" for number in range(9))

    crawl(tmp_path, site, urls, RATE_LIMIT_RATE="4", RATE_LIMIT_BURST="2")

    times = sorted(at for _, at in server.asked)
    assert len(times) == 10  # robots.txt, too
    assert times[-1] - times[0] >= (len(times) - 2) / 4 - 0.05


def test_pictures_that_wait_hold_no_place_of_the_pages(server: Any, tmp_path: Path) -> None:
    # Given more pictures of a slow host than requests may be under way at once
    site, slow = site_of(server), f"http://localhost:{server.server_port}"
    pictures = " ".join(f"{slow}/picture-{number}.png" for number in range(40))
    pages = " ".join(f"{site}/page-{number}" for number in range(10))

    # When pages of another host are wanted as well
    ran = crawl(
        tmp_path, site, pictures, pages, N8N_API_URL=slow,
        RATE_LIMIT_RATE="20", RATE_LIMIT_BURST="1",
        RATE_LIMITS='{"localhost": {"rate": 16, "burst": 1}}',
    )  # fmt: skip

    # Then they come while most of the pictures still wait
    assert ran.status == 0, ran.err
    paths = [path for path, _ in server.asked]
    last_page = max(place for place, path in enumerate(paths) if "page" in path)
    assert sum("picture" in path for path in paths) == 40
    assert sum("picture" in path for path in paths[:last_page]) < 20


def test_no_picture_is_fetched_from_a_private_address(server: Any, tmp_path: Path) -> None:
    # Given pictures on this machine, by every spelling, by a name, and behind a page's refresh
    port = server.server_port
    hosts = ("127.0.0.1", "127.1", "0x7f.1", "0177.0.0.1", "0.0", "localhost", "rebound.example")
    private = [f"http://{host}:{port}/a.png" for host in hosts]
    with hostile_site() as site:
        refresh = f'<meta http-equiv="refresh" content="0;url={private[-1]}">'.encode()
        site.answers["/refresh.png"] = Says(refresh, headers={"Content-Type": "text/html"})
        site.answers["/redirect.png"] = Says(status=302, headers={"Location": private[-1]})

        # When they are wanted by a crawl of another site
        urls = [*private, f"{site.url}/refresh.png", f"{site.url}/redirect.png"]
        ran = crawl(tmp_path, site.url, " ".join(urls), RATE_LIMIT_RATE="0")

    # Then nobody is asked, not even for a robots.txt, and each has its reason
    assert ran.status == 0, ran.err
    assert server.asked == []
    reasons = {url: row["reason"] for url, row in stored(tmp_path).items()}
    assert list(reasons) == sorted(urls)
    assert all("is a private address" in reasons[url] for url in private)
    assert reasons[private[-1]].endswith("which resolves to 127.0.0.1")
    assert "leads to another site" in reasons[urls[-2]]
    assert reasons[urls[-1]] == "status 302"
    assert "Traceback" not in ran.err


def test_only_so_many_pictures_are_in_hand_at_a_time(server: Any, tmp_path: Path) -> None:
    # Given two hosts, each of which could be asked for eight slow pictures at a time
    site, other = site_of(server), f"http://localhost:{server.server_port}"
    urls = [f"{host}/slow-{number}.png?{host}" for host in (site, other) for number in range(16)]

    # When all of them are wanted
    ran = crawl(tmp_path, site, " ".join(urls), N8N_API_URL=other, RATE_LIMIT_RATE="0")

    # Then all are asked for, but never more than eight are under way
    assert ran.status == 0, ran.err
    assert len(server.at_once) == 32
    assert max(server.at_once) <= 8


def test_an_address_that_is_too_long_to_be_asked_for_is_told(server: Any, tmp_path: Path) -> None:
    site = site_of(server)
    url = f"{site}/a.png?{'a' * 2_000}"

    ran = crawl(tmp_path, site, url)

    [(key, row)] = stored(tmp_path).items()
    assert ran.status == 0, ran.err
    assert server.asked == []
    assert url.startswith(key.partition("…")[0])
    assert row["reason"] == "not asked: its address has more than 2,000 characters"


def test_pictures_are_not_fetched_unless_somebody_wants_them(server: Any, tmp_path: Path) -> None:
    site = site_of(server)

    ran = crawl(tmp_path, site, f"{site}/a.png", DOWNLOAD_PICTURES="0")

    assert ran.status == 0, ran.err
    assert server.asked == []


def test_a_dead_host_of_pictures_does_not_hold_up_a_crawl(server: Any, tmp_path: Path) -> None:
    # given: a host without a server behind it, that fails until its circuit opens
    dead = " ".join(f"http://pictures.invalid/{number}.png" for number in range(4))
    site = site_of(server)

    ran = crawl(
        tmp_path, site, f"{dead}|{site}/a.png",
        CIRCUIT_BREAKER_FAILURES="2", CIRCUIT_BREAKER_HOLD="3600", CIRCUIT_BREAKER_WAIT_LIMIT="5",
        RETRY_RULES='{"dns": {"base_seconds": 0.05}}',
    )  # fmt: skip

    assert ran.status == 0, ran.err
    assert stored(tmp_path)[f"{site}/a.png"]["sha256"] is not None

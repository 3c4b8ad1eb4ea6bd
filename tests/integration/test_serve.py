"""`scrapy serve` and `scrapy report` as a person starts and stops them."""

import signal
import socket
import time
from pathlib import Path

import pytest
import requests

from n8n_scraper.ledger.database import Database
from tests.crawling import scrapy
from tests.serving import TOKEN
from tests.serving_process import serving
from tests.unit.ledger.given import a_run

pytestmark = pytest.mark.usefixtures("sqlite_url")


@pytest.fixture
def url(tmp_path: Path) -> str:
    database = Database(f"sqlite:///{tmp_path}/archive.db")
    a_run(database, "1", "2")
    database.close()
    return f"sqlite:///{tmp_path}/archive.db"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_at_once_though_somebody_watches(url: str, how: signal.Signals) -> None:
    with serving(url) as (address, process):
        watched = requests.get(f"{address}/live/", stream=True, timeout=20)
        assert next(watched.iter_lines()) == b"retry: 3000"
        begun = time.monotonic()
        process.send_signal(how)
        status = process.wait(10)
        took = time.monotonic() - begun
        watched.close()

    assert status == 0
    assert took < 3


def test_where_others_reach_it_it_does_not_start_without_a_token(url: str) -> None:
    ran = scrapy("serve", "--host", "0.0.0.0", environment={"DATABASE_URL": url})  # noqa: S104

    assert ran.status == 2
    assert "set SERVE_TOKEN" in ran.err


def test_a_token_that_could_be_guessed_is_refused_and_not_repeated(url: str) -> None:
    ran = scrapy("serve", environment={"DATABASE_URL": url, "SERVE_TOKEN": "s3cret"})

    assert ran.status == 2
    assert "16 or more" in ran.err
    assert "s3cret" not in ran.err


def test_a_port_that_is_taken_is_told_in_one_line(url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ran = scrapy("serve", "--port", port, environment={"DATABASE_URL": url})

    assert ran.status == 2
    assert f"port {port}" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_neither_a_log_nor_a_page_has_the_token(url: str) -> None:
    with serving(url, SERVE_TOKEN=TOKEN) as (address, _):
        answer = requests.get(f"{address}/?token={TOKEN}", timeout=20)

    assert answer.status_code == 400
    assert TOKEN not in answer.text


def test_a_report_is_one_file_or_a_pipe(url: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"

    filed = scrapy("report", "-o", str(path), environment={"DATABASE_URL": url})
    piped = scrapy("report", "-o", "-", "last", environment={"DATABASE_URL": url})

    assert (filed.status, piped.status) == (0, 0)
    assert path.read_text().startswith("<!doctype html>")
    assert piped.out.startswith("<!doctype html>")
    assert [one.name for one in tmp_path.iterdir() if "html" in one.name] == ["report.html"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["report"], "scrapy report -o report.html [RUN]"),
        (["report", "-o", "/nowhere/report.html"], "No such file or directory"),
        (["report", "-o", "-", "none"], "there is no run 'none'"),
    ],
)
def test_a_report_that_cannot_be_made_is_told(url: str, words: list[str], said: str) -> None:
    ran = scrapy(*words, environment={"DATABASE_URL": url})

    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err

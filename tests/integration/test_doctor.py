"""`scrapy doctor`: one line for each thing, against a real site, real databases and real crawls."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.hostile_site import HostileSite, Says, hostile_site
from n8n_scraper.testing.postgres import free_port
from n8n_scraper.testing.serving import served
from tests.crawling import Ran, crawl, scrapy, site
from tests.unit.ledger.given import noted

ROBOTS = "/robots.txt"
Findings = dict[str, tuple[str, str]]


@pytest.fixture
def asked() -> Iterator[HostileSite]:
    """A site that says what it is told to, and notes what it was asked."""
    with hostile_site() as server:
        yield server


def doctor(folder: Path, *words: str, **settings: str) -> Ran:
    environment = {"DATABASE_URL": f"sqlite:///{folder}/a.db", "CONTACT": "me@example.org"}
    return scrapy("doctor", *words, environment=environment | settings)


def examined(folder: Path, url: str, **settings: str) -> tuple[int, Findings]:
    ran = doctor(folder, "--json", N8N_SITE_URL=url, N8N_API_URL=url, **settings)
    assert "Traceback" not in ran.err
    told = json.loads(ran.out)
    return ran.status, {one["name"]: (one["state"], one["words"]) for one in told["findings"]}


def test_where_all_is_well_each_line_says_so(stand_in: RunningStandIn, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    assert crawl(stand_in, url, "-a", "limit=1", "-a", "chain=lean").status == 0
    before = (tmp_path / "a.db").read_bytes()

    ran = doctor(tmp_path, **site(stand_in))

    assert ran.status == 0, ran.out
    assert {line.split()[0] for line in ran.out.splitlines()} == {"ok"}
    names = [line.split()[1] for line in ran.out.splitlines()]
    assert {"versions", "settings", "contact", "database", "soundness", "disk"} < set(names)
    assert names[-4:] == ["dns", "network", "robots", "clock"]
    assert (tmp_path / "a.db").read_bytes() == before


def test_the_site_is_asked_for_its_robots_txt_once_and_for_nothing_else(
    asked: HostileSite, tmp_path: Path
) -> None:
    asked.answers[ROBOTS] = Says(b"User-agent: *\nDisallow: /workflows/\nCrawl-delay: 3\n")

    status, found = examined(tmp_path, asked.url)

    assert [path for _, path in asked.asked] == [ROBOTS]
    assert status == 1
    state, words = found["robots"]
    assert (state, f"forbids {asked.url}/workflows/2462/" in words) == ("bad", True)
    assert not list(tmp_path.iterdir())


def test_a_site_that_asked_to_be_left_alone_is(asked: HostileSite, tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/a.db")
    database.open()
    noted(database, {"127.0.0.1": DomainState(held_until=9e9, noted_at=1.0)})
    database.close()

    status, found = examined(tmp_path, asked.url)

    assert (status, asked.asked) == (0, [])
    assert found["network"][0] == "warn"
    assert "127.0.0.1 is left alone for" in found["network"][1]


async def long_ago(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer as a server does whose clock stands in another year."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 404 Not Found\r\nDate: Mon, 02 Nov 2020 10:00:00 GMT\r\n")
    writer.write(b"Content-Length: 0\r\n\r\n")


def test_a_site_whose_clock_is_another_is_told(tmp_path: Path) -> None:
    with served(long_ago) as port:
        status, found = examined(tmp_path, f"http://127.0.0.1:{port}")

    assert (status, found["clock"][0]) == (1, "bad")
    assert "ahead of that of 127.0.0.1" in found["clock"][1]


def test_what_is_away_or_makes_no_sense_is_one_line_each_and_no_traceback(tmp_path: Path) -> None:
    pytest.importorskip("redis")
    away = f"http://127.0.0.1:{free_port()}"

    status, found = examined(
        tmp_path,
        away,
        DATABASE_URL=f"postgresql://u@127.0.0.1:{free_port()}/none",
        REDIS_URL=f"redis://127.0.0.1:{free_port()}/0",
        PROGRESS="wild",
    )

    assert status == 1
    assert [found[name][0] for name in ("database", "redis", "network", "settings")] == ["bad"] * 4
    assert "does not answer" in found["network"][1]
    assert found["settings"][1].startswith("PROGRESS is 'wild'")


def test_a_name_that_does_not_exist_is_not_found(tmp_path: Path) -> None:
    status, found = examined(tmp_path, "http://nowhere.invalid")

    assert (status, found["dns"][0]) == (1, "bad")
    assert found["dns"][1].startswith("nowhere.invalid is not found: ")
    assert "network" not in found


def test_what_the_database_says_reaches_no_terminal_as_a_sign(tmp_path: Path) -> None:
    ran = doctor(tmp_path, N8N_SITE_URL="http://127.0.0.1:1", JOBDIR="\x1b[31mred")

    assert all(sign.isprintable() or sign == "\n" for sign in ran.out)

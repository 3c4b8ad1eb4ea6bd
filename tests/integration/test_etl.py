"""Real crawls tell a server elsewhere of their runs, which may be away or their end."""

import json
import signal
import time
from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import crawl, rows, scrapy, started, wait_until
from tests.foreign_server import KEY, PATIENCE, Bad, ForeignServer

pytestmark = [pytest.mark.full_speed, pytest.mark.further_on("postgresql")]


def away() -> ForeignServer:
    """A server at an address at which nobody answers, as long as it is not let run."""
    server = ForeignServer()
    with server.running():
        pass
    return server


def judge(server: ForeignServer, stand_in: RunningStandIn) -> None:
    """Demand that it has one run with every template once, and knows that it is over."""
    (run,) = server.runs.values()
    assert run["status"] == "finished"
    wanted = [f"{stand_in.url.rstrip('/')}/workflows/{number}/" for number in stand_in.ids]
    assert sorted(server.items()) == sorted(wanted)
    assert server.done() == set(wanted)
    assert set(server.changed.values()) == {1}


def test_a_server_that_is_away_holds_nothing_up_and_is_told_by_hand_afterwards(
    tmp_path: Path,
) -> None:
    server, database_url = away(), f"sqlite:///{tmp_path}/a.db"
    with running_stand_in(templates=12) as stand_in:
        # Given a crawl whose server does not answer
        ran = crawl(stand_in, database_url, **server.settings())

        # Then it ends as ever, and says what is left
        assert ran.status == 0, ran.err
        assert "etl: 14 messages unsent" in ran.err
        assert KEY not in ran.err

        # When the server is there
        with server.running():
            told = {**server.settings(), "DATABASE_URL": database_url}
            before = scrapy("etl", "status", "--json", environment=told)
            sent = scrapy("etl", "send", "--again", environment=told)

            # Then it has everything once
            assert (before.status, json.loads(before.out)["waiting"]) == (4, 14)
            assert (sent.status, sent.err) == (0, "")
            assert "0 waiting, 14 sent, 0 given up" in sent.out
            judge(server, stand_in)


def test_a_server_that_never_answers_does_not_keep_a_crawl_from_ending(
    stand_in: RunningStandIn, sqlite_url: str
) -> None:
    server = ForeignServer(always=Bad(silent=True))
    with server.running():
        began = time.monotonic()
        ran = crawl(
            stand_in, sqlite_url, "-a", "limit=2", OUTBOX_LAST_WAIT="1", **server.settings()
        )
        took = time.monotonic() - began

    assert ran.status == 0, ran.err
    assert "etl: 4 messages unsent" in ran.err
    assert took < PATIENCE / 2  # it has not waited for the answer, which would have come then


def test_what_a_killed_crawl_has_not_told_the_next_one_tells(
    database_url: str, tmp_path: Path
) -> None:
    server, state = away(), ("-s", f"JOBDIR={tmp_path}/state")
    with running_stand_in(templates=24, latency_ms=20) as stand_in:
        # Given a crawl that is killed in the middle, with all of it untold
        with started(stand_in, database_url, *state, **server.settings()) as process:
            wait_until(lambda: stand_in.stats()["requests"] > 40)
            process.send_signal(signal.SIGKILL)
            process.wait()
        unsent = rows(database_url, "SELECT count(*) FROM outbox WHERE state <> 'sent'")
        assert unsent[0][0] > 5

        # When the same command goes on, and the server is there
        rows_rest = "UPDATE outbox_channels SET held_until = 0"
        _carry_out(database_url, rows_rest)
        with server.running():
            ran = crawl(stand_in, database_url, *state, OUTBOX_LAST_WAIT="30", **server.settings())

            assert ran.status == 0, ran.err
            assert "unsent" not in ran.err
            judge(server, stand_in)


def test_what_a_killed_crawl_was_sending_is_asked_for_before_it_is_sent_again(
    sqlite_url: str,
    tmp_path: Path,
) -> None:
    state = ("-s", f"JOBDIR={tmp_path}/state")
    server = ForeignServer()
    server.next.append(Bad(silent=True))
    with running_stand_in(templates=24, latency_ms=100) as stand_in, server.running():
        # Given a crawl that is killed while the server has its run, and has not said so
        with started(stand_in, sqlite_url, *state, **server.settings()) as process:
            wait_until(lambda: server.runs)
            process.send_signal(signal.SIGKILL)
            process.wait()
        server.heard.set()

        ran = crawl(stand_in, sqlite_url, *state, OUTBOX_LAST_WAIT="30", **server.settings())

        # Then there is no second run
        assert ran.status == 0, ran.err
        judge(server, stand_in)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"ETL_API_ENDPOINT": "http://127.0.0.1:1"}, "ETL_API_KEY is not"),
        ({"ETL_API_KEY": "key-4711"}, "ETL_API_ENDPOINT is not"),
    ],
)
def test_half_an_address_costs_one_line_before_anything_starts(
    stand_in: RunningStandIn, tmp_path: Path, given: dict[str, str], line: str
) -> None:
    ran = crawl(stand_in, f"sqlite:///{tmp_path}/a.db", **given)

    assert ran.status == 2
    assert line in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert "4711" not in ran.err
    assert not (tmp_path / "a.db").exists()


def test_a_key_on_the_command_line_is_not_kept_with_the_run(
    stand_in: RunningStandIn, sqlite_url: str
) -> None:
    with ForeignServer().running() as server:
        given = [f"-s{name}={value}" for name, value in server.settings().items()]
        ran = crawl(stand_in, sqlite_url, "-a", "limit=2", *given)

        assert ran.status == 0, ran.err
        assert KEY not in ran.err
        ((command, settings),) = rows(sqlite_url, "SELECT command, settings FROM scrape_runs")
        assert KEY not in f"{command}{settings}"
        assert "ETL_API_KEY=***" in str(command)
        assert len(server.done()) == 2


def _carry_out(database_url: str, statement: str) -> None:
    from sqlalchemy import create_engine, text

    from n8n_scraper.ledger.address import parse_url

    engine = create_engine(parse_url(database_url))
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()

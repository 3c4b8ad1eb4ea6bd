"""Pages renew themselves: one reader for all, and what each watcher is sent, over real HTTP."""

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import requests

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from tests.serving import Served, served
from tests.unit.ledger.given import a_run, close


@pytest.fixture
def database(sqlite_url: str) -> Iterator[Database]:
    opened = Database(sqlite_url, patience_seconds=0)
    opened.open()
    yield opened
    opened.close()


class Watcher:
    """A browser that watches, as far as its stream goes."""

    def __init__(self, server: Served, path: str, last: str | None = None) -> None:
        headers = {"Last-Event-ID": last} if last else {}
        self.answer = requests.get(server.url + path, headers=headers, stream=True, timeout=20)
        self.lines = self.answer.iter_lines()

    def event(self) -> tuple[str, dict[str, Any]]:
        """Wait for the next change: its id, and the parts that have changed."""
        number = ""
        for line in map(bytes.decode, self.lines):
            if line.startswith("id: "):
                number = line[4:]
            if line.startswith("data: "):
                return number, json.loads(line[6:])
        raise EOFError

    def close(self) -> None:
        self.answer.close()


def test_what_changes_is_sent_and_nothing_else(database: Database) -> None:
    run_id = a_run(database, "1", "2", "3")
    with served(f"{database.url}") as server:
        watcher = Watcher(server, f"/live/runs/{run_id}")
        _, everything = watcher.event()
        close(database, run_id, "1", Outcome.COMPLETE)
        _, changed = watcher.event()
        watcher.close()

    assert {"live_head", "live_plots", "live_workers"} <= set(everything)
    assert "1 complete" in changed["live_head"]
    assert "live_workers" not in changed


def test_a_watcher_that_comes_back_is_sent_what_it_missed(database: Database) -> None:
    run_id = a_run(database, "1", "2", "3")
    with served(f"{database.url}") as server:
        staying, leaving = (Watcher(server, f"/live/runs/{run_id}") for _ in range(2))
        staying.event()
        number, _ = leaving.event()
        leaving.close()
        close(database, run_id, "1", Outcome.GONE)
        staying.event()
        back = Watcher(server, f"/live/runs/{run_id}", number)
        _, missed = back.event()
        staying.close()
        back.close()

    assert "1 gone" in missed["live_head"]
    assert "live_workers" not in missed


def test_many_watchers_are_told_by_one_reader_and_end_with_the_server(database: Database) -> None:
    run_id = a_run(database, "1")
    with served(f"{database.url}") as server:
        watchers = [Watcher(server, f"/live/runs/{run_id}") for _ in range(20)]
        seen = [watcher.event()[0] for watcher in watchers]
        ended = threading.Thread(target=lambda: [_drain(one) for one in watchers])
        ended.start()
        begun = time.monotonic()
    ended.join(10)

    assert len(set(seen)) == 1
    assert not ended.is_alive()
    assert time.monotonic() - begun < 5
    for watcher in watchers:
        watcher.close()


def test_who_leaves_leaves_nothing_behind(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    run_id = a_run(database, "1", "2")
    with served(f"{database.url}") as server:
        for _ in range(5):
            watcher = Watcher(server, f"/live/runs/{run_id}")
            watcher.event()
            watcher.close()
        close(database, run_id, "1", Outcome.COMPLETE)
        last = Watcher(server, f"/live/runs/{run_id}")
        last.event()
        last.close()

    assert caplog.records == []


def test_what_cannot_be_shown_is_no_error_of_ours(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    a_run(database, "1")
    with served(f"{database.url}") as server:
        for path in ("/live/domains/nowhere.example", "/live/runs/none"):
            watcher = Watcher(server, path)
            assert next(watcher.lines) == b"retry: 3000"
            watcher.close()

    assert [one for one in caplog.records if one.levelname == "ERROR"] == []


def test_a_page_that_is_not_there_has_no_stream(database: Database) -> None:
    a_run(database, "1")
    with served(f"{database.url}") as server:
        assert server.get("/live/nowhere").status_code == 404


def _drain(watcher: Watcher) -> None:
    for _ in watcher.lines:
        pass

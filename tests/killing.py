"""Kill a crawl again and again, start it anew with the same command, and judge what is left."""

import os
import random
import signal
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from n8n_scraper.ledger.address import parse_url
from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from tests.crawling import Ran, crawl, rows, started, stored
from tests.server_side import Log

UNDER_WAY = 8  # requests that may be in flight at once: CONCURRENT_REQUESTS_PER_DOMAIN


@dataclass
class Survived:
    """What a crawl that was killed many times left behind."""

    kills: int
    landed: int
    """How many of the kills met a crawl that had not ended yet."""
    last: Ran
    log: Log
    delays: list[float] = field(default_factory=list)
    """Seconds from each start's robots.txt to its first request for a template."""

    def repeated(self) -> int:
        """How many requests for templates were made more than once."""
        return repeated(self.log)


def repeated(log: Log) -> int:
    """How many requests for templates a site saw more than once."""
    paths = Counter(record["path"] for record in log if "/workflows/" in record["path"])
    return sum(count - 1 for count in paths.values())


def survive(
    stand_in: RunningStandIn,
    url: str,
    folder: Path,
    kills: int,
    *,
    most_requests: int = 25,
    seed: int = 1,
) -> Survived:
    """Start, kill at a random moment, start again; after the last kill let it finish."""
    chance = random.Random(seed)
    state = ("-s", f"JOBDIR={folder}/state")
    landed = 0
    for _ in range(kills):
        before = len(stand_in.log())
        with started(stand_in, url, *state, RATE_LIMIT_RATE="0") as process:
            _wait_for_requests(stand_in, before + chance.randint(1, most_requests), process)
            time.sleep(chance.uniform(0, 0.02))
            process.send_signal(signal.SIGKILL)
            landed += process.wait() == -signal.SIGKILL
    last = crawl(stand_in, url, *state)
    return Survived(kills, landed, last, stand_in.log(), _delays(stand_in.log()))


def judge(survived: Survived, stand_in: RunningStandIn, url: str) -> None:
    """Demand that nothing is lost, nothing doubled, and hardly anything asked for twice."""
    assert survived.last.status == 0, survived.last.err
    judge_what_is_left(stand_in, url)
    assert survived.landed >= 0.8 * survived.kills
    assert survived.repeated() <= survived.landed * UNDER_WAY
    # Half of them, because a machine that is busy elsewhere may hold up any single one.
    assert median(survived.delays) <= 2.0


def judge_what_is_left(stand_in: RunningStandIn, url: str) -> None:
    """Demand that every template is there once, as the site has it."""
    found = stored(url)
    assert set(found) == {str(number) for number in stand_in.ids}
    for number in stand_in.ids:
        truth, template = stand_in.truth(number), found[str(number)]
        assert template.workflow == truth.workflow
        assert template.description == (truth.description or None)
        assert (template.title, template.outcome) == (truth.title, "complete")
    assert rows(url, "SELECT state, count(*) FROM scrape_run_items GROUP BY state") == [
        ("done", len(stand_in.ids))
    ]
    # ... and is found by its words, and by what is like it
    for found_by in ("search_items WHERE rules <> ''", "item_features"):
        assert rows(url, f"SELECT count(*) FROM {found_by}") == [(len(stand_in.ids),)]  # noqa: S608
    assert rows(url, "SELECT count(*) FROM scrape_run_answers") == [(0,)]
    assert rows(url, "SELECT count(*) FROM scrape_runs") == [(1,)]


def _wait_for_requests(stand_in: RunningStandIn, number: int, process: object) -> None:
    deadline = time.monotonic() + 20
    while stand_in.stats()["requests"] < number and process.poll() is None:
        assert time.monotonic() < deadline, "the crawl does not get on"
        time.sleep(0.005)


def freeze(process: subprocess.Popen[str], url: str) -> None:
    """Stop a crawl between two of its transactions; one that is stopped within keeps its locks."""
    deadline = time.monotonic() + 20
    _stop(process)
    while _is_locked(url):
        assert time.monotonic() < deadline, "the crawl does nothing but write"
        process.send_signal(signal.SIGCONT)
        time.sleep(0.01)
        _stop(process)


def _stop(process: subprocess.Popen[str]) -> None:
    """Stop a child, and wait until its last thread stands: until then it may still take a lock."""
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


def expire_lease(url: str, pid: int | None = None) -> None:
    """Let as much time pass for the leases as a test will not wait, or for that of one process."""
    engine = create_engine(parse_url(url))
    later = "UPDATE scrape_workers SET lease_until = lease_until - 600 WHERE worker LIKE :whose"
    with engine.begin() as connection:
        connection.execute(text(later), {"whose": "%" if pid is None else f"%:{pid}:%"})
    engine.dispose()


def _is_locked(url: str) -> bool:
    return _is_written(url) if url.startswith("sqlite") else _has_transactions(url)


def _is_written(url: str) -> bool:
    engine = create_engine(parse_url(url), connect_args={"timeout": 0.1})
    try:
        with engine.begin() as connection:
            connection.execute(text("UPDATE scrape_runs SET run_id = run_id"))
    except OperationalError:
        return True
    finally:
        engine.dispose()
    return False


def _has_transactions(url: str) -> bool:
    """Whether anybody else is in one: it may have locked any row, and not yet one of the ledger."""
    query = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        " AND xact_start IS NOT NULL"
    )
    [(count,)] = rows(url, query)
    return bool(count)


def _delays(log: Log) -> list[float]:
    delays, began = [], None
    for record in log:
        if record["path"] == "/robots.txt":
            began = record["t"]
        elif "/workflows/" in record["path"] and began is not None:
            delays.append(record["t"] - began)
            began = None
    return delays

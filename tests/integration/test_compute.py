"""Answers are read in a process of its own, whatever becomes of that."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import crawl, rows, started, stored, wait_until

pytestmark = [pytest.mark.full_speed, pytest.mark.usefixtures("reads_as_usual")]

AT_ONCE = {"COMPUTE_PROCESS_AFTER": "0"}


def computing(crawl_pid: int) -> set[int]:
    """The processes that compute for a crawl; none when it has ended."""
    with suppress(psutil.NoSuchProcess):
        return {one.pid for one in psutil.Process(crawl_pid).children()}
    return set()


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not waited for yet does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def is_further(stand_in: RunningStandIn, seen: int) -> bool:
    """Whether the crawl has asked for some more since then."""
    return bool(stand_in.stats()["requests"] > seen + 5)


def test_a_process_that_is_killed_costs_at_most_the_template_it_was_reading(
    sqlite_url: str,
) -> None:
    killed = set[int]()
    with (
        # Given a crawl whose answers are read in a process
        running_stand_in(templates=50, latency_ms=20) as stand_in,
        started(stand_in, sqlite_url, **AT_ONCE) as process,
    ):
        # When that is killed whenever it is seen at work, as long as the crawl lasts
        while process.poll() is None and len(killed) < 3:
            for pid in computing(process.pid) - killed:
                seen = stand_in.stats()["requests"]
                wait_until(lambda seen=seen: is_further(stand_in, seen) or process.poll())
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                killed.add(pid)
        _, said = process.communicate(timeout=60)

    # Then every template has ended, and a lost one says why
    ends = rows(sqlite_url, "SELECT outcome, reason FROM scrape_run_items")
    lost = [reason for outcome, reason in ends if outcome == "failed"]
    assert killed
    assert len(ends) == 50
    assert len(lost) <= len(killed)
    assert {outcome for outcome, _ in ends} <= {"complete", "failed"}
    assert set(lost) <= {
        "its answers could not be read: the process that computed it has ended with status -9"
    }
    assert process.returncode == (3 if lost else 0), said
    assert "Traceback" not in said


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_no_process_that_computes_outlives_its_crawl(
    number: signal.Signals, sqlite_url: str
) -> None:
    with (
        # Given a crawl under way with its process
        running_stand_in(templates=50, latency_ms=20) as stand_in,
        started(stand_in, sqlite_url) as process,
    ):
        wait_until(lambda: stand_in.stats()["requests"] > 20)
        begun = computing(process.pid)

        # When the crawl is killed, or leaves at once at a second signal
        process.send_signal(number)
        if number is signal.SIGINT:
            wait_until(lambda: process.send_signal(number) or process.poll() is not None)
        process.wait(20)

        # Then none is left
        assert len(begun) == 1
        wait_until(lambda: not any(map(is_alive, begun)))


def test_a_killed_crawl_leaves_its_directory_unlocked_at_once(
    sqlite_url: str, tmp_path: Path
) -> None:
    job = ("-s", f"JOBDIR={tmp_path}/job")
    with running_stand_in(templates=30, latency_ms=20) as stand_in:
        # Given a process that computes and cannot end when its crawl is killed
        with started(stand_in, sqlite_url, *job) as process:
            wait_until(lambda: stand_in.stats()["requests"] > 20)
            (computes,) = computing(process.pid)
            os.kill(computes, signal.SIGSTOP)
            process.kill()
            process.wait(20)

        # When the same command is given again
        ran = crawl(stand_in, sqlite_url, *job)
        os.kill(computes, signal.SIGKILL)

    # Then nothing of the first one is in its way
    assert ran.status == 0, ran.err
    assert rows(sqlite_url, "SELECT count(*) FROM workflows") == [(30,)]


def test_what_a_process_has_read_is_what_a_thread_would_have_read(tmp_path: Path) -> None:
    with running_stand_in(templates=12) as stand_in:
        found = []
        for name, after in (("process", "0"), ("thread", "inf")):
            url = f"sqlite:///{tmp_path}/{name}.db"
            assert crawl(stand_in, url, COMPUTE_PROCESS_AFTER=after).status == 0
            found.append(stored(url))

    passing = {"run_id": "", "scraped_at": "", "processing_time": 0.0}
    of_process, of_thread = (
        {key: one.model_copy(update=passing) for key, one in templates.items()}
        for templates in found
    )
    assert of_process == of_thread


def test_a_pipeline_between_ours_sees_the_item_and_is_obeyed(sqlite_url: str) -> None:
    theirs = '{"tests.integration.marking_pipeline.MarkingPipeline": 130}'
    with running_stand_in(templates=3) as stand_in:
        ran = crawl(stand_in, sqlite_url, "-s", f"ITEM_PIPELINES={theirs}")
        truths = [stand_in.truth(number) for number in stand_in.ids]

    # Then what it changed is stored, and what is computed follows from it
    assert ran.status == 0, ran.err
    found = stored(sqlite_url)
    for truth in truths:
        item = found[str(truth.id)]
        assert item.description == f"{truth.description} Write to ada@acme.io."
        assert item.workflow["nodes"] == truth.workflow["nodes"][1:]
        assert ("email", "description") in {(one.kind, one.place) for one in item.secrets}

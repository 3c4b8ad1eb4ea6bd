"""The directories of runs."""

import os
from dataclasses import replace
from pathlib import Path

from n8n_scraper.doctor.finding import State
from n8n_scraper.doctor.jobs import look
from n8n_scraper.ledger.jobdir import JobDirectory, holder_of
from n8n_scraper.policies.run.counts import Counts
from tests.unit.reports.made import LIVE, STALE, STOPPED


def test_a_run_that_is_worked_on_is_well(tmp_path: Path) -> None:
    [found] = look([replace(LIVE, jobdir=str(tmp_path))], "")

    assert found.state is State.OK
    assert f"run {LIVE.run_id} is worked on, 40 of 100 templates" in found.words


def test_an_abandoned_run_says_how_to_go_on(tmp_path: Path) -> None:
    [found] = look([replace(STALE, jobdir=str(tmp_path))], "")

    assert found.state is State.WARN
    assert "is abandoned" in found.words
    assert found.remedy.startswith("to go on: scrapy crawl workflows")


def test_a_run_that_was_stopped_says_what_is_left(tmp_path: Path) -> None:
    [found] = look([replace(STOPPED, jobdir=str(tmp_path))], "")

    assert (found.state, "was stopped, 40 of 100" in found.words) == (State.WARN, True)


def test_a_directory_whose_lock_a_stranger_holds_names_the_process(tmp_path: Path) -> None:
    job = JobDirectory(str(tmp_path))
    assert holder_of(tmp_path) is None
    job.lock()

    [found] = look([replace(STOPPED, jobdir=str(tmp_path))], "")

    assert holder_of(tmp_path) == os.getpid()
    assert f"process {os.getpid()} holds its lock" in found.words
    job.release()
    assert holder_of(tmp_path) is None


def test_a_directory_is_told_once_by_its_newest_run(tmp_path: Path) -> None:
    older = replace(STALE, jobdir=str(tmp_path))
    finished = replace(
        STOPPED, jobdir=str(tmp_path), status="finished", counts=Counts({"complete": 1})
    )

    assert list(look([finished, older], "")) == []


def test_a_run_without_a_directory_is_told_only_where_it_is_abandoned() -> None:
    assert [one.name for one in look([replace(STALE, jobdir=None)], "")] == ["run"]
    assert list(look([replace(LIVE, jobdir=None), replace(STOPPED, jobdir=None)], "")) == []


def test_a_directory_that_is_gone_is_missed(tmp_path: Path) -> None:
    [found] = look([replace(STOPPED, jobdir=str(tmp_path / "gone"))], "")

    assert "is not here, where run" in found.words


def test_the_directory_that_is_set_is_looked_at_too(tmp_path: Path) -> None:
    new, known = tmp_path / "new", JobDirectory(str(tmp_path / "known"))

    [to_be_made] = look([], str(new))
    new.mkdir()
    [empty] = look([], str(new))
    known.tie("20261119T000000-ab12", "sqlite:///other.db")
    [of_another] = look([], str(known.path))

    assert [one.state for one in (to_be_made, empty, of_another)] == [
        *(State.OK, State.OK, State.WARN)
    ]
    assert "belongs to run 20261119T000000-ab12, which" in of_another.words

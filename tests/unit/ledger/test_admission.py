"""A crawl that would do something else than its command says is refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.item import Outcome
from n8n_scraper.ledger import admission
from n8n_scraper.ledger.admission import admit
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.jobdir import JobDirectory
from n8n_scraper.ledger.ledger import Closing, NewRun, RunStatus, State
from n8n_scraper.sources.n8n.source import SOURCE
from tests.unit.ledger.given import a_run, close_as, end

SITE = {name: SOURCE.settings[name] for name in SOURCE.bases}
NEW = NewRun(
    "workflows", "n8n", "https://n8n.io", {}, SITE, {}, "scrapy crawl workflows -s JOBDIR=state"
)
UPDATE = replace(NEW, arguments={"mode": "update"})
HERE = "sqlite:///here.db"


@pytest.fixture
def job(tmp_path: Path) -> JobDirectory:
    return JobDirectory(str(tmp_path / "state"))


def ended(
    database: Database, new: NewRun = NEW, status: int = 0, outcome: Outcome = Outcome.COMPLETE
) -> str:
    """Leave a finished run of one template behind."""
    run_id = a_run(database, "7", new=new)
    close_as(database, run_id, Closing("7", State.FAILED if status else State.DONE, outcome))
    end(database, run_id, RunStatus.FINISHED, exit_status=status)
    return run_id


def stopped(database: Database, *planned: str) -> str:
    """Leave a run behind that was stopped before any of its templates ended."""
    run_id = a_run(database, *planned, new=NEW)
    end(database, run_id, RunStatus.STOPPED, left=1)
    return run_id


def ask(
    database: Database, new: NewRun = NEW, job: JobDirectory | None = None, *, other: bool = False
) -> None:
    database.do(lambda session: admit(session, new, job, HERE, other_site=other))


def test_a_crawl_that_ended_badly_is_not_begun_anew_by_its_own_command(
    database: Database, job: JobDirectory
) -> None:
    run_id = ended(database, status=ExitStatus.FAILURES, outcome=Outcome.PARTIAL)
    job.tie(run_id, HERE)

    with pytest.raises(BadInput) as refused:
        ask(database, job=job)

    assert f"scrapy runs retry-failed {run_id} && {NEW.command}" in str(refused.value)
    assert "another JOBDIR" in str(refused.value)


@pytest.mark.parametrize(
    ("status", "words"), [(ExitStatus.FEED_LOST, "scrapy export"), (1, "scrapy transcripts")]
)
def test_nor_is_one_that_lacks_only_what_another_command_brings(
    status: int, words: str, database: Database, job: JobDirectory
) -> None:
    job.tie(ended(database, status=status), HERE)

    with pytest.raises(BadInput, match=words):
        ask(database, job=job)


def test_a_crawl_that_ended_well_is_followed_by_a_new_one(
    database: Database, job: JobDirectory
) -> None:
    job.tie(ended(database), HERE)

    ask(database, job=job)


def test_an_update_is_followed_by_the_next_one_however_it_ended(
    database: Database, job: JobDirectory
) -> None:
    job.tie(ended(database, UPDATE, ExitStatus.FAILURES), HERE)

    ask(database, UPDATE, job)


def test_another_crawl_in_the_same_directory_is_a_run_of_its_own(
    database: Database, job: JobDirectory
) -> None:
    job.tie(ended(database, status=ExitStatus.FAILURES), HERE)

    ask(database, replace(NEW, arguments={"limit": "9"}), job)


def test_another_crawl_does_not_untie_a_directory_whose_run_has_work_left(
    database: Database, job: JobDirectory
) -> None:
    run_id = stopped(database, "7")
    job.tie(run_id, HERE)

    with pytest.raises(BadInput) as refused:
        ask(database, replace(NEW, arguments={"limit": "9"}), job)

    assert f"to go on: {NEW.command}; or give this crawl another JOBDIR" in str(refused.value)
    named = " -s DATABASE_URL=sqlite:///copy.db"
    with pytest.raises(BadInput, match=f"to go on: {NEW.command}{named}; or"):
        ask(database, replace(NEW, arguments={"limit": "9"}, command=NEW.command + named), job)
    ask(database, job=job)  # the same crawl goes on


def test_a_run_that_never_had_a_template_holds_no_directory(
    database: Database, job: JobDirectory
) -> None:
    job.tie(stopped(database), HERE)

    ask(database, replace(NEW, arguments={"limit": "9"}), job)


def test_a_directory_whose_run_is_in_another_database_is_refused(
    database: Database, job: JobDirectory
) -> None:
    job.tie("20260101T000000-beef", "sqlite:///there.db")

    with pytest.raises(BadInput, match=r"in the database sqlite:///there\.db, and this one is"):
        ask(database, job=job)


def test_a_directory_whose_database_was_removed_begins_anew(
    database: Database, job: JobDirectory
) -> None:
    job.tie("20260101T000000-beef", HERE)

    ask(database, job=job)


@pytest.mark.parametrize(
    "other",
    [
        replace(NEW, site="http://127.0.0.1:8808"),
        replace(NEW, settings={**SITE, "N8N_API_URL": "http://127.0.0.1:8808"}),
    ],
)
def test_another_site_is_kept_out_of_an_archive_unless_it_is_meant(
    other: NewRun, database: Database
) -> None:
    ended(database)

    with pytest.raises(BadInput, match=r"of https://n8n\.io with https://api\.n8n\.io, and this"):
        ask(database, other)
    ask(database, other, other=True)

    # Once something of it is stored, the archive is of that site
    ended(database, other)
    ask(database, other)


def test_each_division_of_a_source_has_a_site_of_its_own(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Given a source whose crawls are about one place each, and an archive of one of them
    many = replace(SOURCE, divided_by="place", bases=SOURCE.bases[:1])
    monkeypatch.setattr(admission, "known", lambda _: many)
    here, there = (replace(NEW, arguments={"place": place}) for place in ("here", "there"))
    ended(database, here)

    # Then another one may stand elsewhere, and the same one may not
    elsewhere = "https://elsewhere.example"
    ask(database, replace(there, site=elsewhere))
    with pytest.raises(BadInput, match=r"of https://n8n\.io, and this"):
        ask(database, replace(here, site=elsewhere))


def test_a_site_of_which_nothing_was_had_owns_no_archive(database: Database) -> None:
    elsewhere = replace(NEW, site="http://nowhere.example")
    ended(database, elsewhere, status=ExitStatus.FAILURES, outcome=Outcome.FAILED)

    ask(database)


def test_items_of_different_sources_live_in_one_archive(database: Database) -> None:
    others = replace(NEW, spider="fungi", source="fungi", site="https://fungi.example")
    ended(database)

    ask(database, others)
    ended(database, others)

    ask(database)
    with pytest.raises(BadInput, match="its items would take the place of those"):
        ask(database, replace(others, site="http://elsewhere.example"))

"""What is looked at before a crawl begins."""

import argparse
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from n8n_scraper.commands.crawl import prepare
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.item import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.jobdir import JobDirectory
from tests.unit.ledger.test_admission import NEW, ended


def given(tmp_path: Path, **values: str) -> Settings:
    settings = Settings()
    settings.setmodule("n8n_scraper.settings")
    settings.setdict({"DATABASE_URL": f"sqlite:///{tmp_path}/a.db", "DATABASE_PATIENCE": "0"})
    settings.setdict(values, priority="cmdline")
    return settings


def refused(capsys: pytest.CaptureFixture[str], settings: Settings) -> tuple[object, str]:
    with pytest.raises(SystemExit) as left:
        prepare(settings, ["workflows"], argparse.Namespace(spargs={}))
    return left.value.code, capsys.readouterr().err


def test_a_crawl_whose_run_is_finished_with_failures_is_told_how_to_try_them_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = given(tmp_path, JOBDIR=f"{tmp_path}/state")
    database = Database(settings["DATABASE_URL"])
    run_id = ended(database, NEW, ExitStatus.FAILURES, Outcome.PARTIAL)
    database.close()
    JobDirectory(settings["JOBDIR"]).tie(run_id, "any")

    status, said = refused(capsys, settings)

    assert status == ExitStatus.BAD_INPUT
    assert said.count("\n") == 1
    assert f"retry-failed {run_id} && scrapy crawl workflows -s JOBDIR={tmp_path}/state" in said


def test_a_crawl_of_another_site_is_refused_before_anything_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = given(tmp_path, N8N_SITE_URL="http://127.0.0.1:9", N8N_API_URL="http://127.0.0.1:9")
    database = Database(settings["DATABASE_URL"])
    ended(database)
    database.close()

    status, said = refused(capsys, settings)

    assert (status, said.count("\n")) == (ExitStatus.BAD_INPUT, 1)
    assert "ALLOW_OTHER_SITE" in said
    settings.set("ALLOW_OTHER_SITE", "1")
    assert prepare(settings, ["workflows"], argparse.Namespace(spargs={})) is None


def test_a_database_that_cannot_be_used_from_the_start_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = given(tmp_path, DATABASE_URL=f"sqlite:///{tmp_path}/not/mounted/a.db")

    status, said = refused(capsys, settings)

    assert status == ExitStatus.STORE_LOST
    assert said == (
        f"scrapy: The folder {tmp_path}/not, in which the database would be, is not there: "
        "make it or mount it, or name another DATABASE_URL.\n"
    )
    assert not (tmp_path / "not").exists()


def test_a_package_of_spiders_that_is_not_there_is_named_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = refused(capsys, given(tmp_path, SPIDER_MODULES="n8n_scraper.spiders,my.own"))

    assert status == ExitStatus.BAD_INPUT
    assert said == "scrapy: SPIDER_MODULES names 'my', and there is no such module.\n"


def test_a_refusal_brings_no_database_into_being(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = given(tmp_path, JOBDIR=f"{tmp_path}/state")
    JobDirectory(settings["JOBDIR"]).tie("20260101T000000-beef", "sqlite:///elsewhere.db")

    status, said = refused(capsys, settings)

    assert (status, said.count("\n")) == (ExitStatus.BAD_INPUT, 1)
    assert "in the database sqlite:///elsewhere.db" in said
    assert not (tmp_path / "a.db").exists()


def test_folders_are_placed_before_they_are_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("PIL")
    (tmp_path / "scrapy.cfg").touch()
    (tmp_path / "pictures").touch()  # no folder
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")

    settings = given(tmp_path, DOWNLOAD_PICTURES="1", PICTURES_DIR="pictures/images")
    status, said = refused(capsys, settings)

    assert status == ExitStatus.BAD_INPUT
    assert f"{tmp_path}/pictures/images" in said
    assert list((tmp_path / "deep").iterdir()) == []


def test_what_stands_behind_the_spider_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"name one spider.*'extra' means nothing behind it"):
        prepare(given(tmp_path), ["workflows", "extra"], argparse.Namespace(spargs={}))

"""Where relative paths lead."""

from pathlib import Path

import pytest
from scrapy.settings import Settings

from n8n_scraper.core.project_folder import in_project, place_jobdir
from n8n_scraper.crawl.checkpoint_settings import CheckpointSettings
from n8n_scraper.ledger.address import parse_url
from n8n_scraper.media.picture_settings import PictureSettings


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a folder in it."""
    (tmp_path / "scrapy.cfg").touch()
    (tmp_path / "docs" / "deep").mkdir(parents=True)
    return tmp_path


def test_from_every_folder_of_the_project_a_path_leads_to_the_same_place(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / "docs" / "deep")
    settings = Settings({"JOBDIR": "state"})

    place_jobdir(settings)

    assert parse_url("sqlite:///data/n8n.db").database == f"{project}/data/n8n.db"
    assert settings["JOBDIR"] == f"{project}/state"
    pictures = PictureSettings.from_settings({"PICTURES_DIR": "data/images"})
    assert pictures.folder == f"{project}/data/images"
    assert CheckpointSettings.from_settings(settings).folder == project / "state/checkpoints"
    assert CheckpointSettings.from_settings({}).folder == project / "data/checkpoints"
    assert CheckpointSettings.from_settings({"CHECKPOINT_DIR": "c"}).folder == project / "c"


def test_in_the_projects_own_folder_it_stays_as_it_was_written(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)

    assert in_project("state") == "state"


def test_without_a_project_it_is_taken_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert parse_url("sqlite:///data/n8n.db").database == "data/n8n.db"


@pytest.mark.parametrize("path", ["/var/lib/n8n", "s3://bucket/images"])
def test_what_is_no_relative_path_stays(
    path: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / "docs")

    assert in_project(path) == path

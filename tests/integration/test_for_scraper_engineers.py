"""What somebody uses who works on an extractor: the shell, the contracts, the egg."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from tests.crawling import PROJECT, Ran, scrapy, site

pytestmark = pytest.mark.full_speed


@pytest.fixture
def nowhere(tmp_path: Path) -> dict[str, str]:
    """A database that must not come into being."""
    return {"DATABASE_URL": f"sqlite:///{tmp_path}/none.db"}


def test_the_contracts_of_all_callbacks_hold(
    stand_in: RunningStandIn, nowhere: dict[str, str], tmp_path: Path
) -> None:
    one = {"N8N_CONTRACT_ID": str(stand_in.ids[4])}

    ran = scrapy("check", "workflows", environment={**site(stand_in), **nowhere, **one})

    assert ran.status == 0, ran.err + ran.out
    assert "Ran 5 contracts" in ran.err + ran.out
    assert not (tmp_path / "none.db").exists()


def test_a_broken_promise_of_a_callback_is_told(
    stand_in: RunningStandIn, nowhere: dict[str, str]
) -> None:
    unknown = {"N8N_CONTRACT_ID": "99999999"}

    ran = scrapy("check", "workflows", environment={**site(stand_in), **nowhere, **unknown})

    assert ran.status != 0


def test_the_pages_work_in_the_shell_and_no_database_is_opened(
    stand_in: RunningStandIn, nowhere: dict[str, str], tmp_path: Path
) -> None:
    number = stand_in.ids[4]
    pages = "__import__('n8n_scraper.sources.n8n.pages', fromlist=['pages'])"
    code = f"{pages}.read_metadata(response.body, asked='{number}').title"
    url = f"{stand_in.url.rstrip('/')}/api/templates/workflows/{number}"

    ran = scrapy("shell", url, "-c", code, environment={**site(stand_in), **nowhere})

    assert stand_in.truth(number).title in ran.out, ran.err
    assert not (tmp_path / "none.db").exists()


def test_parse_finds_spider_and_callback_by_the_address_and_follows_the_chain(
    stand_in: RunningStandIn, nowhere: dict[str, str], tmp_path: Path
) -> None:
    url, number = stand_in.url.rstrip("/"), stand_in.ids[4]

    ran = scrapy(
        *("parse", f"{url}/api/templates/workflows/{number}", "-d", "3", "--nocolour"),
        environment={**site(stand_in), **nowhere},
    )

    assert ran.status == 0, ran.err
    assert f"'workflow_id': '{number}'" in ran.out
    assert "'same_workflow': True" in ran.out
    assert "WARNING" not in ran.err
    assert not (tmp_path / "none.db").exists()


def test_parse_takes_a_callback_by_its_name(
    stand_in: RunningStandIn, nowhere: dict[str, str]
) -> None:
    environment = {**site(stand_in), **nowhere}
    url = stand_in.url.rstrip("/")

    def parse(path: str, callback: str) -> Ran:
        given = ("--spider=workflows", "-c", callback, "--nocolour")
        return scrapy("parse", f"{url}{path}", *given, environment=environment)

    index = parse("/sitemap_index.xml", "parse_sitemap")
    leaf = parse("/sitemap-workflows.xml", "parse_sitemap")
    wrong = parse("/sitemap_index.xml", "parse_json")

    assert index.status == 0, index.err
    assert "sitemap-workflows.xml" in index.out
    assert leaf.status == 0, leaf.err
    assert "There is no run that would plan 60 templates" in leaf.err
    assert wrong.status == 2
    assert "is no address of a template's json" in wrong.err
    assert "Traceback" not in wrong.err


def test_parse_and_list_know_the_spiders_of_the_project(nowhere: dict[str, str]) -> None:
    listed = scrapy("list", environment=nowhere)
    stranger = scrapy("parse", "http://127.0.0.1:9/", environment=nowhere)

    assert listed.out.split() == ["events", "hk_events", "workflows"]
    assert stranger.status == 2
    assert "Unable to find spider" in stranger.err


@pytest.mark.further
def test_the_egg_that_scrapyd_gets_crawls(stand_in: RunningStandIn, tmp_path: Path) -> None:
    # Given the egg, with the package's data in it, and nothing of the checkout
    subprocess.run(
        [
            *(sys.executable, "-c", "from setuptools import setup; setup()", "-q", "bdist_egg"),
            *("--dist-dir", str(tmp_path), "--bdist-dir", str(tmp_path / "build")),
        ],
        cwd=checkout_copy(tmp_path),
        check=True,
        timeout=60,
        capture_output=True,
    )
    egg = next(tmp_path.glob("*.egg"))
    assert "n8n_scraper/ledger/migrations/versions/0001_first_tables.py" in (
        zipfile.ZipFile(egg).namelist()
    )

    # When it is run as scrapyd runs it
    ran = subprocess.run(
        [sys.executable, "-m", "scrapy", "crawl", "workflows", "-a", "limit=3"],
        cwd=tmp_path,
        env={
            **os.environ,
            **site(stand_in),
            "PYTHONPATH": str(egg),
            "SCRAPY_SETTINGS_MODULE": "n8n_scraper.settings",
            "DATABASE_URL": f"sqlite:///{tmp_path}/egg.db",
        },
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert ran.returncode == 0, ran.stderr
    assert "3 of 3 templates ended: 3 complete." in ran.stderr


def checkout_copy(folder: Path) -> Path:
    """Copy what an egg is made of, so that building leaves nothing in the checkout."""
    copy = folder / "checkout"
    files = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "n8n_scraper", "*.toml", "*.txt", "*.md"],
        cwd=PROJECT,
        check=True,
        timeout=60,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    for name in files:
        target = copy / name
        if (PROJECT / name).is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((PROJECT / name).read_bytes())
    return copy


def test_a_command_that_is_told_can_be_pasted_by_who_has_no_scrapy_on_the_path(
    nowhere: dict[str, str],
) -> None:
    script = str(Path(sys.executable).with_name("scrapy"))

    refused = subprocess.run(
        [script, "crawl", "nothing"],
        cwd=PROJECT,
        env={**os.environ, **nowhere, "PATH": os.defpath},
        capture_output=True,
        text=True,
        check=False,
    )

    assert refused.stderr == (
        f"scrapy: there is no spider 'nothing'; `{script} list` names them.\n"
    )

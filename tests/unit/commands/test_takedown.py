"""`scrapy takedown`: an item out of the archive, and never collected again."""

import json
from pathlib import Path

import pytest

from n8n_scraper.ledger.database import Database
from n8n_scraper.records import pictures
from n8n_scraper.sources.n8n.item import Author, Image
from tests import templates
from tests.crawling import Ran, scrapy
from tests.unit.exports.given import template
from tests.unit.records.test_pictures import URL, row

WHY = "the author asked"


@pytest.fixture
def folder(tmp_path: Path, sqlite_url: str) -> Path:
    """An archive with two templates of an author and one of another, and a picture."""
    database = Database(sqlite_url)
    shown = [Image(url=URL, alt=None, places=["metadata"])]
    for number, name in (("1", "Ada"), ("2", "Bo"), ("3", "Ada")):
        made = template(
            number,
            title=f"Secretly {number}",
            author=Author(name=name),
            images=shown[: number == "1"],
        )
        database.do(lambda session, made=made: templates.save(session, made, []))
    database.do(lambda session: pictures.save(session, [row(sha256="ab", path="ab/ab.png")]))
    database.close()
    (tmp_path / "pictures/ab").mkdir(parents=True)
    (tmp_path / "pictures/ab/ab.png").write_bytes(b"Secretly 1")
    return tmp_path


def takedown(folder: Path, *arguments: str) -> Ran:
    return scrapy(
        *("takedown", *arguments),
        environment={
            "DATABASE_URL": f"sqlite:///{folder}/archive.db",
            "PICTURES_DIR": str(folder / "pictures"),
        },
    )


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_template_is_gone_from_every_file_at_once(folder: Path) -> None:
    ran = takedown(folder, "1", "--why", WHY)

    assert ran.status == 0, ran.err
    assert ran.out == "Template 1: taken out of the archive; it is not collected any more.\n"
    assert "files, feeds and backups that were made before are yours to delete" in ran.err
    left = everything(folder)
    assert (b"Secretly 1" in left, b"Secretly 2" in left) == (False, True)
    assert not (folder / "pictures/ab/ab.png").exists()


def test_an_authors_templates_are_taken_down_listed_and_given_free_again(folder: Path) -> None:
    ran = takedown(folder, "author:ada", "--why", WHY)

    assert [line.split(":")[0] for line in ran.out.splitlines()] == ["Template 1", "Template 3"]
    listed = [json.loads(line) for line in takedown(folder, "--list", "--json").out.splitlines()]
    assert [(one["workflow_id"], one["why"]) for one in listed] == [("1", WHY), ("3", WHY)]
    assert takedown(folder, "--undo", "3").out.startswith("Template 3 may be collected again; ")
    assert takedown(folder, "--list").out.split() == ["1", f"{listed[0]['at'][:19]}Z", *WHY.split()]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), 'write: scrapy takedown ID|author:NAME --why "…"'),
        (("1", "--list"), 'write: scrapy takedown ID|author:NAME --why "…"'),
        (("1",), "--why is missing"),
        (("1", "--why", " "), "--why is missing"),
        (("x", "--why", WHY), "'x' is no id of templates; write numbers, or author:NAME."),
        (("author:Eve", "--why", WHY), "the archive has no template of an author 'Eve'."),
        (("--undo", "1"), "template '1' was not taken down."),
    ],
)
def test_what_makes_no_sense_changes_nothing(
    folder: Path, arguments: tuple[str, ...], said: str
) -> None:
    before = everything(folder)

    ran = takedown(folder, *arguments)

    assert (ran.status, said in ran.err, len(ran.err.splitlines())) == (2, True, 1)
    assert everything(folder) == before

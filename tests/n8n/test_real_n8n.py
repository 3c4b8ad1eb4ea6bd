"""A real n8n in a real browser, with the archive as its templates host, and nothing of n8n.io.

`make n8n` installs it and runs this; elsewhere it is skipped with one line.
"""

import hashlib
import os
import re
import struct
import subprocess
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from n8n_scraper.core.computing import compute
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import pictures as stored_pictures
from n8n_scraper.sources.n8n.rules.computed import COMPUTED
from tests import templates
from tests.conftest import SAMPLES
from tests.n8n import real_n8n
from tests.n8n.real_n8n import RealN8n
from tests.samples.answers import read_detail, template_of
from tests.serving import LOOPBACK, Served, served
from tests.unit.records.test_pictures import row as picture

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not real_n8n.is_installed(), reason="SKIPPED WITHOUT N8N: make n8n"),
]

PROJECT = Path(__file__).parents[2]
PATIENCE = 60_000
CANVAS_NODE = "canvas-default-node"
WITH_PICTURES = "2054"
"""A template whose text shows a picture that is attached to it; n8n leaves out those that it takes
for a drawing of the workflow."""
AVATAR_WIDTH, WIDTH = 7, 11
"""In points, by which each of the two is known."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> str:
    """All templates that were recorded, stored as a crawl stores them."""
    url = f"sqlite:///{tmp_path_factory.mktemp('archive')}/archive.db"
    with closing(Database(url)) as database:
        for file in sorted((SAMPLES / "api-detail").glob("[0-9]*.json")):
            dossier = read_detail(file)
            template = template_of(dossier)
            compute(COMPUTED, template)
            answers = list(dossier.answers.values())
            database.do(partial(templates.save, template=template, answers=answers))
    return url


@pytest.fixture(scope="module")
def pictures(archive: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two of the pictures that a template shows, as a crawl fetches them."""
    folder = tmp_path_factory.mktemp("pictures")
    with closing(Database(archive)) as database:
        shown = database.do(lambda session: templates.load(session, WITH_PICTURES))
        assert shown is not None
        assert shown.author is not None
        assert shown.images is not None
        for url, width in ((shown.author.avatar, AVATAR_WIDTH), (shown.images[0].url, WIDTH)):
            content = png(width)
            name = hashlib.sha256(content).hexdigest()
            (folder / f"{name}.png").write_bytes(content)
            had = {"sha256": name, "path": f"{name}.png", "media_type": "image/png"}
            row = picture(str(url), bytes=len(content), **had)
            database.do(lambda session, row=row: stored_pictures.save(session, [row]))
    return folder


def png(width: int) -> bytes:
    """A grey picture of one line."""
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, 1, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"\0" + b"\x80" * width)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )


@pytest.fixture(scope="module")
def host(archive: str, pictures: Path) -> Iterator[Served]:
    with served(archive, replace(LOOPBACK, pictures=str(pictures))) as server:
        yield server


@pytest.fixture(scope="module")
def n8n(host: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealN8n]:
    folder = tmp_path_factory.mktemp("n8n")
    with real_n8n.running(folder, f"{host.url}/api.n8n.io/") as started:
        yield started


@pytest.fixture(scope="module")
def page(n8n: RealN8n, host: Served) -> Iterator[Page]:
    """A browser in which the owner is logged in, and that reaches nobody but n8n and us."""
    with sync_playwright() as playwright:
        playwright.selectors.set_test_id_attribute("data-test-id")
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(PATIENCE)
        ours = (n8n.url, host.url, "data:", "blob:")
        page.route(
            lambda url: not url.startswith(ours), lambda route: route.abort("internetdisconnected")
        )
        page.goto(f"{n8n.url}/signin")
        page.locator("input[type=email]").fill(n8n.email)
        page.locator("input[type=password]").fill(n8n.password)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/home/**")
        yield page
        browser.close()


def cards(page: Page, n8n: RealN8n, words: str = "") -> list[str]:
    """The names of the templates that the browser lists, in their order."""
    page.goto(f"{n8n.url}/templates/{f'?search={words}' if words else ''}")
    # Until they have come, there are grey ones without a word.
    named = page.get_by_test_id("template-card").filter(has_text=re.compile(r"\w"))
    named.first.wait_for()
    return [one.split("\n")[0] for one in named.all_inner_texts()]


def test_it_lists_a_hundred_at_once_the_most_viewed_first(page: Page, n8n: RealN8n) -> None:
    listed = cards(page, n8n)

    assert len(listed) == 100
    assert listed[0] == "AI agent chat"
    number = len(list((SAMPLES / "api-detail").glob("[0-9]*.json")))
    expect(page.get_by_test_id("template-count-label")).to_contain_text(str(number))


def test_it_searches_as_somebody_types(page: Page, n8n: RealN8n) -> None:
    cards(page, n8n)

    page.get_by_placeholder("Search workflows").press_sequentially("telegram")

    expect(page.get_by_test_id("template-count-label")).to_contain_text("(30)")
    first = page.get_by_test_id("template-card").first.inner_text()
    assert "Telegram" in first


def test_a_category_narrows_the_list(page: Page, n8n: RealN8n) -> None:
    everything = cards(page, n8n)

    page.get_by_text("AI RAG", exact=True).click()

    page.wait_for_function(
        "(before) => document.querySelectorAll('[data-test-id=template-card]').length < before",
        arg=len(everything),
    )


def test_a_template_opens_with_its_words_and_its_workflow_drawn(page: Page, n8n: RealN8n) -> None:
    page.goto(f"{n8n.url}/templates/2462")

    expect(page.get_by_text("Angie, personal AI assistant").first).to_be_visible()
    expect(page.get_by_text("personal AI assistant named Angie").first).to_be_visible()


def test_pictures_that_the_archive_has_are_shown_from_there(
    page: Page, n8n: RealN8n, host: Served
) -> None:
    page.goto(f"{n8n.url}/templates/{WITH_PICTURES}")

    page.wait_for_function(
        """([ours, widths]) => {
            const loaded = [...document.images].filter(
                (one) => one.src.startsWith(ours) && one.complete && one.naturalWidth > 0
            );
            return widths.every((width) => loaded.some((one) => one.naturalWidth === width));
        }""",
        arg=[f"{host.url}/api.n8n.io/pictures/", [AVATAR_WIDTH, WIDTH]],
    )


def test_a_collection_of_ours_opens(page: Page, n8n: RealN8n) -> None:
    cards(page, n8n)

    named = page.get_by_text("What is new", exact=True)  # also in menus that are not open
    named.locator("visible=true").first.click()

    page.wait_for_url("**/collections/**")
    page.get_by_test_id("template-card").first.wait_for()


def test_a_template_comes_onto_the_canvas(page: Page, n8n: RealN8n) -> None:
    page.goto(f"{n8n.url}/workflows/templates/1954")

    page.get_by_text("AI Agent", exact=True).first.wait_for()
    page.get_by_text("Simple Memory", exact=True).first.wait_for()


def test_one_that_we_do_not_have_is_told_so(page: Page, n8n: RealN8n) -> None:
    page.goto(f"{n8n.url}/workflows/templates/999999")

    expect(page.get_by_text("The archive has no such template.").first).to_be_visible()


def test_n8n_takes_a_whole_exported_folder(archive: str, tmp_path: Path) -> None:
    folder, home = tmp_path / "exported", tmp_path / "n8n"
    home.mkdir()
    own = {**os.environ, "DATABASE_URL": archive, "PYTHONPATH": str(PROJECT)}
    exported = [".venv/bin/scrapy", "export", "--format", "n8n", "--output", str(folder)]
    subprocess.run(exported, cwd=PROJECT, env=own, check=True, timeout=120)

    taken = subprocess.run(
        [real_n8n.HOME / "n8n", "import:workflow", "--separate", f"--input={folder}"],
        env=real_n8n.environment(home),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )

    number = len(list(folder.glob("[0-9]*.json")))
    assert taken.returncode == 0, taken.stdout + taken.stderr
    assert f"Successfully imported {number} workflow" in taken.stdout

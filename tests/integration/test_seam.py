"""A source is one folder: what is left without it works, and what all have, a new one has as well.

Tried in copies of the tree: without the one source, without the other, and with nothing but a toy
(`tests/toy`), which the core has never heard of.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests import about, toy
from tests.copying import Site, copied, served
from tests.crawling import PROJECT, Ran, child, scrapy, wait_until

pytestmark = [pytest.mark.full_speed, pytest.mark.timeout(300)]

SIZE = 12
SPIDERS = {"n8n": "workflows", "hk_events": "hk_events", toy.NAME: toy.NAME}
BASES = {
    "n8n": ("N8N_SITE_URL", "N8N_API_URL"),
    "hk_events": ("HK_EVENTS_URL",),
    toy.NAME: ("QUOTES_URL",),
}
TELLING = ("core", "ledger", "pipelines", "policies/run", "reports", "spiders")
"""Folders of unit tests that a source, or its lack, could upset, and that do not take long."""
_IMPORT_ALL = """
import importlib, pkgutil, n8n_scraper
for found in pkgutil.walk_packages(n8n_scraper.__path__, "n8n_scraper."):
    if "__main__" not in found.name and ".migrations." not in found.name:
        importlib.import_module(found.name)
print(n8n_scraper.__path__[0])
"""


def further(name: str) -> Any:
    """Name a source that the suite leaves out: another one stands there for all."""
    return pytest.param(name, marks=pytest.mark.further)


@pytest.fixture(scope="module", params=[further("n8n"), further("hk_events"), toy.NAME])
def source(request: pytest.FixtureRequest) -> str:
    """The only source of a copy."""
    return str(request.param)


@pytest.fixture(scope="module")
def tree(source: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree that has this source only."""
    return copied(tmp_path_factory.mktemp(f"only-{source}"), source)


def python(tree: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "source", [*map(further, ("n8n", "hk_events", "events")), toy.NAME], indirect=True
)
def test_all_that_is_left_can_be_imported(tree: Path) -> None:
    for extra in ("celery", "apprise", "mcp"):
        pytest.importorskip(extra)
    ran = python(tree, "-c", _IMPORT_ALL, REDIS_URL="redis://127.0.0.1:6379/0")

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == str(tree / "n8n_scraper")


@pytest.mark.parametrize(
    ("source", "folders", "least"),
    [
        ("hk_events", ["spiders"], 3),
        *(
            pytest.param(one, [*TELLING, f"sources/{one}"], 31, marks=pytest.mark.further)
            for one in ("hk_events", "n8n")
        ),
    ],
    indirect=["source"],
)
def test_the_tests_of_what_is_left_are_green(
    tree: Path, source: str, folders: Sequence[str], least: int
) -> None:
    # Given the tests that are not about the source that is gone
    gone = about.SOURCES - {source}
    unit = PROJECT / "tests/unit"
    files = [file for name in folders for file in (unit / name).rglob("test_*.py")]
    left = [str(file.relative_to(PROJECT)) for file in files if not about.sources_of(file) & gone]
    assert len(left) >= least

    # When they are run without it
    ran = python(
        *(tree, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"),
        *("-k", "sqlite or not postgresql", *left),
        N8N_SAMPLES=str(tree),
    )

    # Then they do not miss it
    assert ran.returncode == 0, ran.stdout[-3000:]


class Place:
    """A copy with its source, a stand-in of that, and an archive."""

    def __init__(self, tree: Path, source: str, site: Site, folder: Path) -> None:
        self.tree, self.source, self.site, self.folder = tree, source, site, folder
        self.environment = {
            **dict.fromkeys(BASES[source], site.url),
            "DATABASE_URL": f"sqlite:///{folder}/a.db",
            "RATE_LIMIT_RATE": "0",
        }

    def scrapy(self, *arguments: str) -> Ran:
        return scrapy(*arguments, folder=self.tree, environment=self.environment)

    def crawl(self, *arguments: str) -> dict[str, Any]:
        """Crawl to the end, and give what `runs show` says of it."""
        ran = self.scrapy("crawl", SPIDERS[self.source], *arguments)
        assert ran.status == 0, ran.err
        return self.told("runs", "show", "last")

    def told(self, *command: str) -> Any:
        ran = self.scrapy(*command, "--json")
        assert ran.status == 0, ran.err
        return json.loads(ran.out)

    def events(self, since: str) -> list[tuple[str, str]]:
        ran = self.scrapy("changes", "--since", since, "--json")
        found = map(json.loads, ran.out.splitlines())
        return [
            (one["kind"], next(one[key] for key in one if key.endswith("_id"))) for one in found
        ]

    def exported(self, form: str) -> Path:
        target = self.folder / f"out.{form}"
        ran = self.scrapy("export", "--format", form, "--output", str(target))
        assert ran.status == 0, ran.err
        return target

    @property
    def ids(self) -> list[str]:
        return [one[next(iter(one))] for one in read_lines(self.exported("jsonl"))]


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def place(tree: Path, source: str, tmp_path: Path) -> Iterator[Place]:
    with served(tree, source, SIZE) as site:
        yield Place(tree, source, site, tmp_path)


def test_a_source_has_its_run_its_items_its_feed_and_every_general_export(place: Place) -> None:
    # Given a crawl of all that there is
    run = place.crawl("-O", f"{place.folder}/feed.jsonl")

    # Then each item is accounted for, and is the same in the feed as in the archive
    assert run["processed"] == run["total"] == SIZE
    assert run["outcomes"]["complete"] >= SIZE - 2
    lines = read_lines(place.exported("jsonl"))
    assert sorted(map(str, lines)) == sorted(map(str, read_lines(place.folder / "feed.jsonl")))
    assert place.told("quality")["items"] == len(lines)

    # And every format that all sources have can be had of it, with whose the items are
    for form in ("json", "csv", "parquet"):
        target = place.exported(form)
        manifest = json.loads(Path(f"{target}.manifest.json").read_text())
        assert manifest["source"] == place.source
        assert target.stat().st_size > 0


def test_the_history_of_a_source_knows_what_is_edited_and_what_is_gone(place: Place) -> None:
    # Given an archive
    place.crawl()
    first, second, *_ = place.ids

    # When nothing has changed, then nothing has happened
    run = place.crawl()
    assert place.events(run["run_id"]) == []

    # When one is edited and another is removed, then just that has happened
    as_it_is = int(first) if first.isdigit() and place.source == "n8n" else first
    changes = {"edited": {first: 1}, "removed": [int(second) if as_it_is != first else second]}
    place.site.control(changes=changes)
    run = place.crawl()
    happened = place.events(run["run_id"])
    assert sorted(happened) == [("changed", first), ("removed", second)]
    assert place.told("diff", first)["changes"]

    # And an update that finds nothing new adds nothing
    run = place.crawl("-a", "mode=update")
    assert place.events(run["run_id"]) == []


def test_the_stored_answers_of_a_source_are_read_anew_as_they_are(place: Place) -> None:
    # Given items of which some were stored twice
    place.crawl()
    first = place.ids[0]
    place.site.control(changes={"edited": {first: 1}})
    place.crawl()
    before = place.exported("jsonl").read_bytes()

    # When all are read anew, then nothing has changed
    found = place.told("reread")

    assert (found["source"], found["read"]) == (place.source, len(place.ids))
    assert (found["changed"], found["unreadable"], found["errors"]) == (0, {}, {})
    assert place.exported("jsonl").read_bytes() == before


def test_a_crawl_of_a_source_that_is_killed_goes_on_and_asks_nothing_twice(place: Place) -> None:
    # Given a crawl that is killed in the middle
    place.site.control(latency_ms=80)
    state = ("-s", f"JOBDIR={place.folder}/state", "-s", "ITEMS_UNDER_WAY=2")
    command = [sys.executable, "-m", "scrapy", "crawl", SPIDERS[place.source], *state]
    environment = {**os.environ, **place.environment}
    with child(command, cwd=place.tree, env=environment, stderr=subprocess.PIPE) as crawl:
        wait_until(lambda: len(place.site.paths()) >= 4 or crawl.poll() is not None)
        crawl.send_signal(signal.SIGKILL)
        crawl.wait()

    # When the same command is given again
    run = place.crawl(*state)

    # Then all is there, and no more was asked again than was under way
    assert run["processed"] == run["total"] == SIZE
    asked = place.site.paths()
    of_items = [path for path in asked if asked.index(path) > 2]
    assert len(of_items) - len(set(of_items)) <= 4


def test_a_source_that_is_not_there_is_refused_with_those_that_are(tree: Path, source: str) -> None:
    ran = scrapy("runs", "list", "--source", "nowhere", folder=tree)

    assert ran.status == 2
    assert ran.err.strip() == f"scrapy: 'nowhere' is no source; there are: {source}."

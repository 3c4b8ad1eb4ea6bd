"""Copies of the tree with some of the sources, and the stand-ins that they bring."""

import json
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests import forking, toy
from tests.crawling import PROJECT, child

SOURCES = Path("n8n_scraper/sources")
NOUNS = {"n8n": "templates", "hk_events": "events", "events": "events", toy.NAME: "quotes"}


def copied(folder: Path, *sources: str) -> Path:
    """Copy the tree into a folder, with these sources only; the toy is one that it may have."""
    half_written = shutil.ignore_patterns("*.pyc.*")  # by another process of the suite
    for name in ("n8n_scraper", "tests", "docs"):
        shutil.copytree(PROJECT / name, folder / name, ignore=half_written)
    for name in ("scrapy.cfg", "pyproject.toml"):
        shutil.copy(PROJECT / name, folder)
    for one in (folder / SOURCES).iterdir():
        if one.is_dir() and one.name not in sources:
            shutil.rmtree(one)
    if toy.NAME in sources:
        shutil.copytree(toy.FOLDER / toy.NAME, folder / SOURCES / toy.NAME)
    forking.copies.add(folder)
    return folder


class Site:
    """The stand-in of a source, started by the command in a copy, and steered as by anybody."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")

    def control(self, **switches: object) -> None:
        """Throw some of its switches."""
        self._ask("/__control", switches)

    def log(self) -> list[dict[str, Any]]:
        """What it was asked."""
        found: list[dict[str, Any]] = self._ask("/__log")
        return found

    def paths(self) -> list[str]:
        """What it was asked for."""
        return [one["path"] for one in self.log()]

    def _ask(self, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.url + path, data)) as answer:
            return json.load(answer)


@contextmanager
def served(tree: Path, source: str, size: int, host: str = "127.0.0.1") -> Iterator[Site]:
    """Serve the stand-in of a source for as long as the block lasts."""
    command = [sys.executable, "-m", "scrapy", "replica", "--source", source, "--port", "0"]
    command += ["--host", host, f"--{NOUNS[source]}", str(size)]
    with child(command, cwd=tree, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        found = re.search(r"http://[\w.:]+", process.stdout.readline())
        assert found is not None
        yield Site(found[0])
        process.send_signal(signal.SIGINT)
        process.wait()

import os
from pathlib import Path

import pytest

from n8n_scraper.sources.hk_events.source import SOURCE
from n8n_scraper.sources_file.watched import WatchedSources

ENTRY = '[sources.{name}]\ntitle = "x"\naddress = "https://{name}.example"\nkind = "{kind}"\n'


class Watching:
    """A file, and what its watcher says."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "sources.toml"
        self.said: list[str] = []
        self.watched = WatchedSources(self.file, self.said.append)
        self._edits = 0

    def write(self, *names: str, more: str = "") -> None:
        self.file.write_text(
            "".join(ENTRY.format(name=name, kind=SOURCE.name) for name in names) + more
        )
        self._edits += 1
        os.utime(self.file, (self._edits, self._edits))

    def names(self) -> list[str]:
        return [one.name for one in self.watched.now()]


@pytest.fixture
def watching(tmp_path: Path) -> Watching:
    return Watching(tmp_path)


def test_an_edit_holds_at_the_next_look(watching):
    watching.write("a")
    assert watching.names() == ["a"]

    watching.write("a", "b")

    assert watching.names() == ["a", "b"]
    assert watching.said == []


def test_an_edit_that_makes_no_sense_is_told_once_and_leaves_the_last_good_one(watching):
    watching.write("a")
    watching.names()

    watching.write("b", more="rate = 0\npriority = 9\n")
    seen = [watching.names() for _ in range(3)]

    assert seen == [["a"]] * 3
    [line] = watching.said
    assert line.startswith(f"{watching.file}:5: sources.b.rate is 0; write a number of ")
    assert line.endswith("(1 more); until it is mended, what it said before holds.")


def test_a_file_that_is_mended_holds_again(watching):
    watching.write("a")
    watching.names()
    watching.write("b", more="rate = 0\n")
    watching.names()

    watching.write("b")

    assert watching.names() == ["b"]


def test_a_file_that_goes_away_leaves_what_it_said(watching):
    watching.write("a")
    watching.names()

    watching.file.unlink()

    assert watching.names() == ["a"]
    assert "there is no such file" in watching.said[0]


def test_without_a_first_good_reading_no_site_is_crawled(watching):
    watching.write("a", more="rate = 0\n")

    assert watching.names() == []
    assert watching.said[0].endswith("until it is mended, no site is crawled by it.")


def test_what_has_not_changed_is_not_read_again(watching, monkeypatch):
    watching.write("a")
    watching.names()
    monkeypatch.setattr("n8n_scraper.sources_file.watched.read_sources", pytest.fail)

    assert watching.names() == ["a"]

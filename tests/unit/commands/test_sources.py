"""The sites of the sources file, as a person asks for them."""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import pytest
from scrapy.utils.project import get_project_settings

from n8n_scraper.commands.sources import run
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.pace.circuit import CircuitState
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.sources.hk_events.source import SOURCE
from tests.unit.ledger.given import noted

OPEN = CircuitState(5, opened_at=time.time(), hold_seconds=600.0, reason="timeout", tripped_by="/")

ENTRY = """
[sources.{name}]
title = "{name} of the city"
address = "https://{name}.example"
kind = "{kind}"
{lines}
"""


class Typed:
    """The command, with a file and a database of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.file = folder / "sources.toml"
        self.settings = get_project_settings()
        self.settings.set("SOURCES_FILE", str(self.file))
        self.settings.set("DATABASE_URL", f"sqlite:///{folder}/a.db")
        self._capsys = capsys

    def add(self, name: str, *lines: str) -> None:
        with self.file.open("a") as file:
            file.write(ENTRY.format(name=name, kind=SOURCE.name, lines="\n".join(lines)))

    def __call__(self, *words: str, **options: Any) -> tuple[int, str, str]:
        untyped = {"priority": None, "only": [], "due": False, "max_concurrent": None}
        opts = argparse.Namespace(**{**untyped, "logs": None, "json": False, **options})
        try:
            status = int(run(self.settings, list(words), opts))
        except SystemExit as left:
            status = int(left.code or 0)
        return status, *self._capsys.readouterr()


@pytest.fixture
def typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Typed:
    return Typed(tmp_path, capsys)


def test_sites_are_listed_by_their_priority(typed):
    typed.add("zoo", "priority = 2", 'schedule = "1h30m"')
    typed.add("arena", "priority = 1")

    status, out, _ = typed("list")

    assert out.splitlines() == [
        "arena  1 · on demand · never crawled",
        "zoo    2 · every 1h30m · never crawled · due now",
    ]
    assert status == ExitStatus.DONE


def test_those_of_one_priority_are_listed_alone(typed):
    typed.add("zoo", "priority = 2")
    typed.add("arena", "priority = 1")

    _, out, _ = typed("list", priority="2", json=True)

    assert [one["name"] for one in json.loads(out)] == ["zoo"]


def test_looking_makes_no_database(typed, tmp_path):
    typed.add("zoo")

    typed("list")

    assert not (tmp_path / "a.db").exists()


def test_a_site_is_shown_with_all_that_its_entry_says(typed):
    typed.add("zoo", 'schedule = "2h"')

    _, out, _ = typed("show", "zoo")

    assert out.splitlines()[0] == "zoo: zoo of the city"
    assert '  address = "https://zoo.example"' in out
    assert "  schedule = 2h" in out
    assert out.splitlines()[-1] == "due now"


def test_a_site_is_shown_to_machines(typed):
    typed.add("zoo")

    _, out, _ = typed("show", "zoo", json=True)

    assert json.loads(out)["entry"]["address"] == "https://zoo.example"
    assert json.loads(out)["last"] is None


def test_a_site_that_is_none_is_told_with_the_nearest(typed):
    typed.add("arena")

    status, _, err = typed("show", "arenas")

    assert f"'arenas' is no site of {typed.file}; is it arena?" in err
    assert status == ExitStatus.BAD_INPUT


def test_a_file_in_order_is_said_to_be(typed):
    typed.add("zoo")

    assert typed("validate") == (0, f"{typed.file}: 1 site is in order.\n", "")


def test_each_fault_of_a_file_costs_a_line(typed):
    typed.add("zoo", "priority = 9", "rate = 0")

    status, out, err = typed("validate", str(typed.file))

    assert [line.split(": ")[1] for line in err.splitlines()] == [
        f"{typed.file}:6",
        f"{typed.file}:7",
    ]
    assert (status, out) == (ExitStatus.BAD_INPUT, "")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"priority": "4"}, "--priority 4: write 1, 2 or 3."),
        ({"max_concurrent": "0"}, "--max-concurrent 0: write how many, as in "),
        ({"max_concurrent": "all"}, "--max-concurrent all: write how many, as in "),
        ({"only": ["arena"]}, "'arena' is no site of "),
        ({"only": ["zoo"], "priority": "1"}, "--only names its sites: leave --priority out."),
        ({"logs": "/dev/null/x"}, "--logs /dev/null/x: no folder can be made there: "),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_crawled(typed, tmp_path, options, said):
    typed.add("zoo")

    status, _, err = typed("run", **options)

    assert said in err
    assert status == ExitStatus.BAD_INPUT
    assert not (tmp_path / "a.db").exists()


def test_a_word_that_is_none_is_answered_with_those_that_are(typed):
    status, _, err = typed("crawl")

    assert "write: scrapy sources list, show NAME, validate [FILE], or run" in err
    assert status == ExitStatus.BAD_INPUT


def test_a_site_whose_domain_does_not_answer_is_left_alone(typed, tmp_path):
    typed.add("zoo", "priority = 1")
    states = {"zoo.example": DomainState(circuit=OPEN)}
    database = Database(f"sqlite:///{tmp_path}/a.db")
    noted(database, states)
    database.close()

    status, out, _ = typed("run")

    assert out == "zoo  rests     the circuit of zoo.example is open: timeout\n"
    assert status == ExitStatus.SITE_DOWN
    assert "the circuit of zoo.example is open" in typed("list")[1]


def test_a_round_of_what_is_due_leaves_the_others_out(typed):
    typed.add("zoo")

    status, out, _ = typed("run", due=True, json=True)

    [site] = json.loads(out)["sites"]
    assert (site["came"], site["why"]) == ("left out", "it has no schedule")
    assert status == json.loads(out)["exit_status"] == ExitStatus.DONE


def test_a_site_whose_arguments_make_no_sense_is_refused_alone(typed):
    typed.add("zoo", 'arguments = {limit = "none"}')

    status, out, _ = typed("run")

    assert out.startswith("zoo  refused   -a limit=none: write how many events at most")
    assert status == ExitStatus.BAD_INPUT

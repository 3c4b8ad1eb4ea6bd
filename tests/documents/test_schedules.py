"""The rounds of the sites on a schedule: units of systemd, and workflows for shared runners."""

import json
import re
import shlex
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from n8n_scraper.sources_file.reading import read_sources
from tests.documents.deploying import ROUNDS, TIMERS, WORKFLOWS, steps, unit, workflow
from tests.documents.reading import PROJECT

HOURS = {"1": 2, "2": 4}
MINUTES = {"1": 30, "2": 45}
"""How often a round of this priority begins, and how long it may take."""


def priority(path: Path) -> str:
    """The priority that a file is about."""
    [found] = re.findall(r"sites-(\d)\.", path.name)
    return str(found)


def each(paths: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.name)


def test_each_priority_of_the_seed_has_its_schedules() -> None:
    assert [priority(path) for path in ROUNDS] == ["1", "2"]
    assert [path.stem for path in TIMERS] == [path.stem for path in ROUNDS]
    assert [priority(path) for path in WORKFLOWS] == ["1", "2"]


def test_the_sites_are_meant_as_often_as_their_rounds_begin() -> None:
    every = {one.priority: one.schedule for one in read_sources() if one.priority < 3}

    assert {str(one): HOURS[str(one)] * 3600 for one in every} == {
        str(one): seconds for one, seconds in every.items()
    }


@each(TIMERS)
def test_a_timer_begins_a_round_as_often_as_it_says(path: Path) -> None:
    timer = unit(path)["Timer"]

    [hours] = re.findall(r"^\*-\*-\* 00/(\d):\d\d:00 UTC$", timer["OnCalendar"])
    assert int(hours) == HOURS[priority(path)]
    assert timer["Persistent"] == "true"


@each(ROUNDS)
def test_a_round_is_asked_to_end_in_time_and_runs_once(path: Path) -> None:
    service = unit(path)["Service"]

    assert service["Type"] == "oneshot"
    assert service["TimeoutStartSec"] == f"{MINUTES[priority(path)]}min"
    assert f"--priority {priority(path)} " in service["ExecStart"]
    assert f"/var/log/{service['LogsDirectory']}" in service["ExecStart"]
    assert "Restart" not in service


@each(WORKFLOWS)
def test_a_workflow_begins_a_round_as_often_as_it_says_or_when_it_is_asked(path: Path) -> None:
    begun_by = workflow(path)["on"]

    assert set(begun_by) == {"schedule", "workflow_dispatch"}
    [entry] = begun_by["schedule"]
    minute, hours, *others = entry["cron"].split()
    assert (hours, others) == (f"*/{HOURS[priority(path)]}", ["*"] * 3)
    assert 0 < int(minute) < 60  # on the hour everybody begins, and all are late
    assert begun_by["workflow_dispatch"]["inputs"]["only"]["default"] == ""


@each(WORKFLOWS)
def test_a_workflow_neither_overlaps_nor_cancels(path: Path) -> None:
    assert workflow(path)["concurrency"] == {
        "group": f"sites-{priority(path)}",
        "cancel-in-progress": False,
    }


@each(WORKFLOWS)
def test_a_workflow_has_its_time_and_ends_its_crawls_before(path: Path) -> None:
    [job] = workflow(path)["jobs"].values()
    [crawl] = [step for step in steps(path) if step.get("name") == "Crawl"]

    [minutes] = re.findall(r"timeout --signal=TERM --kill-after=60 (\d+)m scrapy", crawl["run"])
    assert job["timeout-minutes"] == MINUTES[priority(path)]
    assert int(minutes) <= job["timeout-minutes"] - 5


@each(WORKFLOWS)
def test_a_workflow_has_only_what_it_needs_of_others_at_one_version(path: Path) -> None:
    used = [step["uses"] for step in steps(path) if "uses" in step]

    assert [one.partition("@")[0] for one in used] == [
        "actions/checkout",
        "actions/setup-python",
        "actions/upload-artifact",
    ]
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", one) for one in used)
    assert all(re.search(rf"{one} # v\d+\.\d+\.\d+$", path.read_text(), re.M) for one in used)
    assert workflow(path)["permissions"] == {"contents": "read"}


@each(WORKFLOWS)
def test_what_a_workflow_installs_is_there(path: Path) -> None:
    [install] = [step for step in steps(path) if step.get("name") == "Install"]
    files = re.findall(r"--(?:constraint|requirement) (\S+)", install["run"])

    assert len(files) == 2
    assert all((PROJECT / file).is_file() for file in files)


@each(WORKFLOWS)
def test_a_workflow_keeps_the_logs_of_a_round_that_failed_and_tells_somebody(path: Path) -> None:
    *_, kept, told = steps(path)
    [crawl] = [step for step in steps(path) if step.get("name") == "Crawl"]

    assert (kept["if"], told["if"]) == ("failure()", "failure()")
    assert crawl["run"].rstrip().endswith(f"--logs {kept['with']['path']}")
    assert kept["with"]["retention-days"] == 7


# What its shell does, tried as a runner does it: `bash -e`, with what it is told in variables.


def ran(path: Path, step: str, folder: Path, **told: str) -> subprocess.CompletedProcess[str]:
    [found] = [one for one in steps(path) if one.get("name") == step]
    # In the place of the command one that says what it was asked.
    (folder / "scrapy").write_text('#!/bin/sh\nprintf "%s\\n" "$*"\n')
    (folder / "scrapy").chmod(0o755)
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", found["run"]],
        env={"PATH": f"{folder}:/usr/bin:/bin", **told},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


@each(WORKFLOWS)
def test_a_workflow_crawls_its_priority_or_the_site_that_was_named(
    path: Path, tmp_path: Path
) -> None:
    whole, named = (ran(path, "Crawl", tmp_path, ONLY=only) for only in ("", "mgto"))

    rest = "--max-concurrent 3 --logs logs"
    assert whole.stdout.strip() == f"sources run --priority {priority(path)} {rest}"
    assert named.stdout.strip() == f"sources run --only mgto {rest}"


@each(WORKFLOWS)
def test_what_is_typed_for_a_site_is_no_command(path: Path, tmp_path: Path) -> None:
    typed = "$(touch owned); x' --priority 3"

    done = ran(path, "Crawl", tmp_path, ONLY=typed)

    assert shlex.quote(typed) not in path.read_text()
    assert f"--only {typed} " in done.stdout
    assert not (Path.cwd() / "owned").exists()


@each(WORKFLOWS)
def test_a_workflow_without_a_database_that_stays_ends_at_once(path: Path, tmp_path: Path) -> None:
    assert ran(path, "Look for a database that stays", tmp_path, DATABASE_URL="").returncode == 2
    assert ran(path, "Look for a database that stays", tmp_path, DATABASE_URL="x").returncode == 0


class _Hook(BaseHTTPRequestHandler):
    heard: ClassVar[list[Any]] = []

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        self.heard.append((self.headers["Content-Type"], json.loads(self.rfile.read(size))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def hook() -> Iterator[str]:
    _Hook.heard.clear()
    with HTTPServer(("127.0.0.1", 0), _Hook) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/hook"
        server.shutdown()
        thread.join()


@each(WORKFLOWS)
def test_whoever_is_named_is_told_where_the_failure_can_be_read(
    path: Path, tmp_path: Path, hook: str
) -> None:
    page = "https://git.example/you/sites/actions/runs/7"

    done = ran(path, "Tell that it failed", tmp_path, FAILURE_WEBHOOK=hook, PAGE=page)

    assert (done.returncode, done.stderr) == (0, "")
    [(kind, message)] = _Hook.heard
    assert kind == "application/json"
    assert message["text"].endswith(f"priority {priority(path)} failed: {page}")


@each(WORKFLOWS)
def test_where_nobody_is_named_nobody_is_told(path: Path, tmp_path: Path) -> None:
    done = ran(path, "Tell that it failed", tmp_path, FAILURE_WEBHOOK="", PAGE="x")

    assert (done.returncode, "nobody is told" in done.stdout) == (0, True)

"""`scrapy stack` and `scrapy preflight` with a real Redis, real workers and real signals."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from n8n_scraper.stack.children import Children, Program
from n8n_scraper.stack.notes import Note, Notes, find
from n8n_scraper.stack.processes import Process
from n8n_scraper.testing.postgres import free_port
from n8n_scraper.testing.redis import OwnRedis
from tests.crawling import PROJECT, Ran, child, scrapy, wait_until
from tests.left_over import children

pytestmark = pytest.mark.full_speed
OURS = ("redis", "worker", "beat")
KILLS = 3
WITHOUT_THE_EXTRA = """
import sys
sys.modules["celery"] = sys.modules["redis"] = None
from scrapy.cmdline import execute
execute()
"""


class Machine:
    """What a command is told, and what it has left behind."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = folder / "stack"
        self.url = f"redis://127.0.0.1:{free_port()}/0"
        self.secrets: list[str] = []

    @property
    def environment(self) -> dict[str, str]:
        database = f"sqlite:///{self.folder}/n8n.db"
        told = {"REDIS_URL": self.url, "CELERY_BROKER_URL": "", "DATABASE_URL": database}
        return {**told, "STACK_DIR": str(self.state), "STACK_PATIENCE": "60"}

    def stack(self, *words: str) -> Ran:
        ran = scrapy("stack", *words, environment=self.environment)
        self.remember()
        return ran

    def preflight(self, *words: str) -> Ran:
        return scrapy("preflight", *words, environment=self.environment)

    def remember(self) -> None:
        """Keep the secrets of today's notes, by which whatever is left is found."""
        notes = [Notes(self.state).read(name) for name in OURS]
        self.secrets += [note.secret for note in notes if note]

    def alive(self) -> list[Process]:
        """Whatever lives of all that was ever started here."""
        marks = [Note("any", secret, "", "") for secret in set(self.secrets)]
        return [process for mark in marks for process in find(mark).all]

    def mains(self) -> dict[str, Process]:
        """The processes that were started, by service."""
        notes = {name: Notes(self.state).read(name) for name in OURS}
        found = {name: find(note).main for name, note in notes.items() if note}
        return {name: process for name, process in found.items() if process}


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    made.stack("down")
    assert made.alive() == []


def states(ran: Ran) -> dict[str, str]:
    """Give the state of each service by the second column."""
    rows = [line for line in ran.out.splitlines() if not line.startswith(" ")]
    return {row.split()[0]: row[10:22].strip() for row in rows}


@dataclass(frozen=True)
class Story:
    """What the commands said on one machine, one after the other."""

    up: Ran
    up_again: Ran
    status: Ran
    preflight: Ran
    as_json: Ran
    up_without_worker: Ran
    down: Ran
    down_again: Ran
    status_after: Ran
    logs: str
    mains: list[dict[str, Process]]
    left: list[Process]


@pytest.fixture(scope="module")
def extra(redis_program: None) -> None:
    """All that has to be installed where everything is started."""
    pytest.importorskip("celery")


@pytest.fixture(scope="module")
def story(extra: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """Up, and up again; the worker is killed; up once more; down, and down again."""
    machine = Machine(tmp_path_factory.mktemp("story"))
    try:
        yield tell(machine)
    finally:
        machine.stack("down")


def tell(machine: Machine) -> Story:
    """Let it happen."""
    address, machine.url = machine.url.replace("//", "//:secret@"), ""
    up = machine.stack("up", "-s", f"REDIS_URL={address}")
    machine.url, mains = address, [machine.mains()]
    up_again = machine.stack("up")
    mains.append(machine.mains())
    status, preflight = machine.stack("status"), machine.preflight()
    as_json = machine.stack("status", "--json")
    os.kill(mains[0]["worker"].pid, signal.SIGKILL)
    up_without_worker = machine.stack("up")
    mains.append(machine.mains())
    return Story(
        *(up, up_again, status, preflight, as_json, up_without_worker),
        *(machine.stack("down"), machine.stack("down"), machine.stack("status")),
        "".join(path.read_text() for path in machine.state.glob("*.log")),
        *(mains, machine.alive()),
    )


def test_up_starts_everything_in_order_and_makes_the_tables(story: Story) -> None:
    assert (story.up.status, story.up.err) == (0, "")
    assert [states(story.up)[name] for name in OURS] == ["started"] * 3
    assert list(states(story.up)) == [
        *("redis", "broker", "worker", "beat", "database", "proxies", "rotator", "models"),
    ]
    assert states(story.up)["database"] == "healthy"


def test_a_second_up_starts_nothing(story: Story) -> None:
    assert (story.up_again.status, story.up_again.err) == (0, "")
    assert [states(story.up_again)[name] for name in OURS] == ["healthy"] * 3
    assert story.mains[1] == story.mains[0]


def test_while_it_is_up_status_and_preflight_say_so(story: Story) -> None:
    told = json.loads(story.as_json.out)
    pids = {name: process.pid for name, process in story.mains[1].items()}

    assert (story.status.status, story.preflight.status) == (0, 0)
    assert told["ready"] is True
    assert {one["name"]: one["started_here"] for one in told["services"]}.items() >= pids.items()


def test_a_killed_worker_and_nothing_else_is_replaced_by_the_next_up(story: Story) -> None:
    before, after = story.mains[1:]

    assert story.up_without_worker.status == 0
    assert {name for name in OURS if states(story.up_without_worker)[name] == "started"} == {
        name for name in OURS if before[name] != after[name]
    }
    assert before["worker"] != after["worker"]
    assert before["redis"] == after["redis"]


def test_down_stops_everything_in_reverse_and_leaves_nothing(story: Story) -> None:
    assert story.down.status == 0
    assert [line.split()[0] for line in story.down.out.splitlines()] == ["beat", "worker", "redis"]
    assert story.left == []


def test_a_second_down_has_nothing_to_do(story: Story) -> None:
    assert story.down_again.status == 0
    assert story.down_again.out == "Nothing runs that `scrapy stack up` has started.\n"


def test_afterwards_nothing_is_healthy_but_the_database(story: Story) -> None:
    assert story.status_after.status == 10
    assert [states(story.status_after)[name] for name in OURS] == ["not healthy"] * 3
    assert states(story.status_after)["database"] == "healthy"


def test_what_the_command_line_says_reaches_the_processes_and_no_password_the_logs(
    story: Story,
) -> None:
    (place,) = {line.split()[-1] for line in story.logs.splitlines() if ".> transport:" in line}

    assert place.startswith("redis://:**@127.0.0.1:")
    assert "secret" not in story.logs + story.up.out + story.up.err


@pytest.mark.usefixtures("extra")
def test_wherever_up_is_killed_down_leaves_nothing_of_ours_and_all_of_others(
    machine: Machine, redis: OwnRedis
) -> None:
    chance = random.Random(10)
    command = [sys.executable, "-m", "scrapy", "stack", "up"]
    environment = {**os.environ, **machine.environment}
    for _ in range(KILLS):
        with child(command, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL) as up:
            wait_until((machine.state / "redis.json").exists)
            time.sleep(chance.uniform(0, 3))
            up.kill()
        machine.remember()

        down = machine.stack("down")

        assert down.status == 0
        assert machine.alive() == []
        assert list(machine.state.glob("*.json")) == []
    assert redis.answers()


@pytest.mark.usefixtures("extra")
def test_a_signal_to_up_ends_what_it_has_started_and_nothing_of_others(
    machine: Machine, redis: OwnRedis
) -> None:
    machine.url = redis.url
    command = [sys.executable, "-m", "scrapy", "stack", "up"]
    environment = {**os.environ, **machine.environment}
    with child(command, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL) as up:
        wait_until((machine.state / "worker.json").exists)
        machine.remember()
        up.send_signal(signal.SIGTERM)
        up.wait(60)

    assert up.returncode == 128 + signal.SIGTERM
    assert machine.alive() == []
    assert redis.answers()


def test_preflight_starts_and_makes_nothing(machine: Machine) -> None:
    machine.preflight()
    before = children()

    ran = machine.preflight()

    assert ran.status == 10
    assert children() == before
    assert list(machine.folder.iterdir()) == []


def bare(machine: Machine, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command on a machine that has nothing but what a crawl needs."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_THE_EXTRA, *words],
        cwd=PROJECT,
        env={**os.environ, **machine.environment, "PATH": str(machine.folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_on_a_bare_machine_preflight_says_what_is_missing_and_how_to_get_it(
    machine: Machine,
) -> None:
    ran = bare(machine, "preflight")

    assert (ran.returncode, ran.stderr) == (10, "")
    assert "Celery and redis-py are not installed" in ran.stdout
    assert "to have it: pip install -r requirements-workers.txt" in ran.stdout
    assert "without it: no work can be handed to workers" in ran.stdout


def test_where_nothing_is_wanted_a_bare_machine_is_ready_and_told_how_to_have_more(
    machine: Machine,
) -> None:
    ran = bare(machine, "preflight", REDIS_URL="")

    assert (ran.returncode, ran.stderr) == (0, "")
    assert (
        "to have it: pip install -r requirements-workers.txt, then apt install redis-server, "
        "then export REDIS_URL=redis://127.0.0.1:6379/0"
    ) in ran.stdout


@pytest.mark.parametrize("url", ["", "redis://127.0.0.1:6379/0"])
def test_without_the_extra_up_says_in_one_line_how_to_install_it(
    url: str, machine: Machine
) -> None:
    ran = bare(machine, "stack", "up", REDIS_URL=url)

    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == (
        "scrapy: scrapy stack up needs what is not installed: "
        "Celery and redis-py are not installed: pip install -r requirements-workers.txt\n"
    )


def test_without_the_extra_down_still_stops_what_runs(machine: Machine) -> None:
    machine.state.mkdir()
    Children(machine.state).start("redis", Program(("/bin/sleep", "600")), tied=False)
    machine.remember()

    ran = bare(machine, "stack", "down")

    assert (ran.returncode, ran.stderr) == (0, "")
    assert machine.alive() == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("stack",), "write: scrapy stack up, scrapy stack status, or scrapy stack down"),
        (("stack", "start"), "write: scrapy stack up, scrapy stack status, or scrapy stack down"),
        (("preflight", "now"), "write: scrapy preflight [--json]"),
        (("stack", "status", "-s", "REDIS_URL=amqp://x"), "REDIS_URL is no address of a Redis"),
        (("preflight", "-s", "STACK_PATIENCE=x"), "STACK_PATIENCE is 'x'; write a number of"),
    ],
)
def test_what_makes_no_sense_costs_one_line(
    words: tuple[str, ...], said: str, machine: Machine
) -> None:
    ran = scrapy(*words, environment=machine.environment)

    assert ran.status == 2
    assert ran.err.startswith(f"scrapy: {said}")
    assert len(ran.err.splitlines()) == 1

"""Services started in order and stopped in reverse, whatever happens; with real programs."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from n8n_scraper.core.errors import BadInput, NotHealthy
from n8n_scraper.stack.children import Program
from n8n_scraper.stack.health import Health, State
from n8n_scraper.stack.notes import Note, Notes, find
from n8n_scraper.stack.processes import Process, all_processes
from n8n_scraper.stack.service import Service
from n8n_scraper.stack.stack import Stack, Standing, Stopped
from tests import forking
from tests.unit.stack.running import PATIENCE, Machine, sleeping, wait_until
from tests.unit.stack.three_services import NAMES

KILLS = 8


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    """The folder of a stack's state; what a test has left running ends with it."""
    folder = tmp_path / "state" / "stack"
    yield folder
    Stack([service(name) for name in NAMES], folder, PATIENCE).down()


def service(name: str, health: Health | None = None, **others: object) -> Service:
    """Give a service that only stands as it is told."""
    told = health or Health.healthy("as ever")
    given: dict[str, object] = {"prevents": "", "remedy": "", "check": lambda _: told}
    return Service(name=name, **{**given, **others})  # type: ignore[arg-type]


def three(machine: Machine) -> list[Service]:
    return [machine.service(name) for name in NAMES]


def alive(folder: Path) -> list[Process]:
    """Whatever lives of a stack, by the marks of its notes."""
    notes = [Notes(folder).read(name) for name in NAMES]
    return [process for note in notes if note for process in find(note).all]


def test_what_is_not_healthy_is_started_in_order_and_stopped_in_reverse(
    machine: Machine, state: Path
) -> None:
    stack = Stack(three(machine), state, PATIENCE)

    stack.up()
    stack.down()

    assert machine.journal == [
        *("one-begins", "two-begins", "three-begins"),
        *("three-ends", "two-ends", "one-ends"),
    ]


def test_a_second_up_starts_nothing_and_disowns_nothing(machine: Machine, state: Path) -> None:
    Stack(three(machine), state, PATIENCE).up()
    told: list[Standing] = []

    Stack(three(machine), state, PATIENCE).up(told.append)

    assert machine.journal == [f"{name}-begins" for name in NAMES]
    assert [one.was_started for one in told] == [False] * 3
    assert all(one.process for one in told)


def test_a_second_down_has_nothing_to_do(machine: Machine, state: Path) -> None:
    Stack(three(machine), state, PATIENCE).up()
    told: list[Stopped] = []

    Stack(three(machine), state, PATIENCE).down(told.append)
    Stack(three(machine), state, PATIENCE).down(told.append)

    assert [one.service.name for one in told] == ["three", "two", "one"]


def test_down_before_any_up_makes_no_folder(machine: Machine, state: Path) -> None:
    Stack(three(machine), state, PATIENCE).down()

    assert not state.exists()


def test_what_is_healthy_already_is_neither_started_nor_stopped(
    machine: Machine, state: Path
) -> None:
    theirs = replace(machine.service("one"), check=lambda _: Health.healthy("it was there"))
    stack = Stack([theirs, machine.service("two")], state, PATIENCE)

    stack.up()
    stack.down()

    assert machine.journal == ["two-begins", "two-ends"]


def test_what_is_not_needed_is_not_even_asked(machine: Machine, state: Path) -> None:
    def ask(_: float) -> Health:
        raise AssertionError

    unneeded = machine.service("one", check=ask, unneeded="nobody asks for it")

    Stack([unneeded], state, PATIENCE).up()

    assert machine.journal == []


def test_what_only_others_can_start_is_told_and_what_was_started_ends(
    machine: Machine, state: Path
) -> None:
    away = service("two", Health.unhealthy("does not answer"), remedy="start it on its machine")

    with pytest.raises(NotHealthy, match=r"^two: does not answer\. start it on its machine\.$"):
        Stack([machine.service("one"), away], state, PATIENCE).up()

    assert machine.journal == ["one-begins", "one-ends"]


def test_of_a_failing_up_only_what_it_has_started_itself_ends(
    machine: Machine, state: Path
) -> None:
    first, second = machine.service("one"), machine.service("two")
    Stack([first], state, PATIENCE).up()
    away = service("three", Health.unhealthy("does not answer"))

    with pytest.raises(NotHealthy):
        Stack([first, second, away], state, PATIENCE).up()

    assert machine.journal == ["one-begins", "two-begins", "two-ends"]


def test_a_program_that_ends_is_told_with_its_last_words(machine: Machine, state: Path) -> None:
    failing = Program(("/bin/sh", "-c", "echo no memory; exit 9"))

    with pytest.raises(NotHealthy, match=r"^one: it has ended with status 9: no memory \(/"):
        Stack([machine.service("one", program=failing)], state, PATIENCE).up()


def test_one_that_never_gets_healthy_is_waited_for_no_longer_than_said(
    machine: Machine, state: Path
) -> None:
    mute = machine.service("one", check=lambda _: Health.unhealthy("says nothing"))

    with pytest.raises(
        NotHealthy,
        match=r"^one: not healthy within 0\.3 seconds \(STACK_PATIENCE\): says nothing\.$",
    ):
        Stack([mute], state, 0.3).up()

    assert alive(state) == []


def test_one_of_ours_that_is_ill_is_ended_and_started_anew(machine: Machine, state: Path) -> None:
    stack = Stack([machine.service("one")], state, PATIENCE)
    stack.up()
    (machine.folder / "one-lives").unlink()  # by which its health is judged

    stack.up()

    assert machine.journal == ["one-begins", "one-ends", "one-begins"]


def test_a_port_that_another_program_holds_is_told_and_the_program_left_alone(
    machine: Machine, state: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = listener.getsockname()

        with pytest.raises(
            NotHealthy,
            match=rf"Its port is held by process {os.getpid()} \(.*\), which is left alone",
        ):
            Stack([machine.service("one", port=place)], state, PATIENCE).up()

    assert machine.journal == []


def test_what_is_made_rather_than_run_is_made_once(machine: Machine, state: Path) -> None:
    made = machine.folder / "made"

    def check(_: float) -> Health:
        state = State.HEALTHY if made.exists() else State.TO_BE_MADE
        return Health(state, "is made" if made.exists() else "is not there yet")

    stack = Stack([service("one", check=check, make=made.mkdir)], state, PATIENCE)

    stack.up()
    stack.up()  # which would fail to make it a second time

    assert made.exists()


def test_a_look_starts_nothing_and_leaves_nothing(machine: Machine, state: Path) -> None:
    seen = list(Stack(three(machine), state, PATIENCE).look())

    assert [one.health.state for one in seen] == [State.UNHEALTHY] * 3
    assert machine.journal == []
    assert not state.exists()


def test_what_cannot_be_asked_without_another_is_not_asked(machine: Machine, state: Path) -> None:
    def ask(_: float) -> Health:
        raise AssertionError

    below = machine.service("one")
    above = machine.service("two", check=ask, needs=("one",))

    _, seen = Stack([below, above], state, PATIENCE).look()

    assert seen.health == Health.unhealthy("one cannot be asked about it")


def test_a_look_names_the_process_that_was_started(machine: Machine, state: Path) -> None:
    stack = Stack([machine.service("one")], state, PATIENCE)
    stack.up()

    (seen,) = stack.look()

    assert seen.process in set(all_processes())


def test_a_block_leaves_the_machine_as_it_has_found_it(machine: Machine, state: Path) -> None:
    with Stack(three(machine), state, PATIENCE):
        assert machine.journal == [f"{name}-begins" for name in NAMES]

    assert machine.journal[3:] == ["three-ends", "two-ends", "one-ends"]
    assert alive(state) == []


def test_a_block_that_fails_stops_what_it_has_started(machine: Machine, state: Path) -> None:
    with pytest.raises(ZeroDivisionError), Stack(three(machine), state, PATIENCE):
        _ = 1 / 0

    assert machine.journal[3:] == ["three-ends", "two-ends", "one-ends"]


def test_a_block_that_cannot_begin_stops_what_it_has_started(machine: Machine, state: Path) -> None:
    away = service("two", Health.unhealthy("does not answer"))

    with pytest.raises(NotHealthy), Stack([machine.service("one"), away], state, PATIENCE):
        raise AssertionError

    assert machine.journal == ["one-begins", "one-ends"]


def test_a_block_stops_nothing_that_was_there_before(machine: Machine, state: Path) -> None:
    Stack([machine.service("one")], state, PATIENCE).up()

    with Stack(three(machine), state, PATIENCE):
        pass

    assert machine.journal[3:] == ["three-ends", "two-ends"]


def test_signals_mean_after_a_block_what_they_meant_before(machine: Machine, state: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)

    with Stack([machine.service("one")], state, PATIENCE):
        assert signal.getsignal(signal.SIGTERM) != before

    assert signal.getsignal(signal.SIGTERM) == before


def test_a_folder_that_cannot_be_used_is_told(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(BadInput, match=r"^STACK_DIR .*/file/stack cannot be used: Not a directory"):
        Stack(three(machine), tmp_path / "file" / "stack", PATIENCE).up()


def test_where_the_means_are_lacking_it_is_told(
    machine: Machine, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = pytest.raises(BadInput, match=r"only Linux has \(5\.3 or newer\).*compose\.yaml")

    with lacking, monkeypatch.context() as patch:
        patch.delattr(os, "pidfd_open")
        Stack(three(machine), state, PATIENCE).up()


def other_process(machine: Machine, state: Path, what: str) -> forking.Process:
    program = [sys.executable, "-m", "tests.unit.stack.three_services"]
    command = [*program, str(machine.folder), str(state), what]
    return forking.Process(command, stdout=subprocess.PIPE)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_in_a_block_stops_what_it_has_started_in_reverse(
    number: signal.Signals, machine: Machine, state: Path
) -> None:
    with other_process(machine, state, "block") as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "inside\n"
        child.send_signal(number)

    assert machine.journal[3:] == ["three-ends", "two-ends", "one-ends"]
    assert alive(state) == []


def test_a_block_whose_process_is_killed_leaves_nothing_running(
    machine: Machine, state: Path
) -> None:
    with other_process(machine, state, "block") as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "inside\n"
        child.kill()

    wait_until(lambda: alive(state) == [])


def test_a_signal_during_up_stops_what_it_has_started(machine: Machine, state: Path) -> None:
    with other_process(machine, state, "up") as child:
        wait_until(lambda: "one-begins" in machine.journal)
        child.send_signal(signal.SIGTERM)

    assert child.returncode == 128 + signal.SIGTERM
    assert machine.journal[-1] == "one-ends"
    assert alive(state) == []


def test_two_ups_at_once_start_everything_once(machine: Machine, state: Path) -> None:
    with other_process(machine, state, "up") as first, other_process(machine, state, "up") as other:
        pass

    assert (first.returncode, other.returncode) == (0, 0)
    assert sorted(machine.journal) == sorted(f"{name}-begins" for name in NAMES)


@pytest.mark.full_speed
def test_wherever_up_is_killed_down_leaves_nothing_of_ours_and_all_of_others(
    machine: Machine, state: Path
) -> None:
    chance = random.Random(7)
    whole = duration_of(lambda: other_process(machine, state, "up"))
    Stack(three(machine), state, PATIENCE).down()

    with sleeping() as foreign:
        for _ in range(KILLS):
            with other_process(machine, state, "up") as child:
                time.sleep(chance.uniform(0.3, 1.1) * whole)
                child.kill()
            secrets = [note.secret for name in NAMES if (note := Notes(state).read(name))]

            Stack(three(machine), state, PATIENCE).down()

            assert carrying(secrets) == []
            assert list(state.glob("*.json")) == []
        assert foreign.poll() is None


def duration_of(start: Callable[[], subprocess.Popen[str]]) -> float:
    begin = time.monotonic()
    with start():
        pass
    return time.monotonic() - begin


def carrying(secrets: list[str]) -> list[Process]:
    notes = [replace(Note.new("any"), secret=secret) for secret in secrets]
    return [one for note in notes for one in find(note).all]

"""compose.yaml, the Dockerfile and the units are whole, and what they run is there."""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from scrapy.cmdline import ScrapyArgumentParser, _get_commands_dict
from scrapy.utils.project import get_project_settings

from n8n_scraper import settings as project
from n8n_scraper.testing.postgres import free_port
from tests.documents.deploying import (
    COMPOSE,
    ROUNDS,
    SERVICES,
    TIMERS,
    UNITS,
    commands,
    instructions,
    unit,
    variables,
)
from tests.documents.reading import PROJECT

# Of what the format has, as far as we use it; each with the type of its value.
OF_A_SERVICE = {
    **dict.fromkeys(("build", "image", "restart", "stop_grace_period"), str),
    **dict.fromkeys(("environment", "depends_on", "healthcheck"), dict),
    **dict.fromkeys(("command", "ports", "volumes"), list),
    "init": bool,
}
OF_A_HEALTHCHECK = {"test", "interval", "timeout", "retries", "start_period"}
RESTARTS = {"no", "always", "on-failure", "unless-stopped"}
TIME = re.compile(r"(\d+h)?(\d+m)?(\d+s)?")
COMMANDS = dict(commands())


def test_compose_has_no_part_that_the_format_has_not() -> None:
    assert {key for key in COMPOSE if not key.startswith("x-")} == {"name", "services", "volumes"}
    assert re.fullmatch(r"[a-z0-9][a-z0-9_-]*", COMPOSE["name"])


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_has_what_the_format_has(name: str) -> None:
    service = SERVICES[name]

    assert {key for key, value in service.items() if not is_a(value, OF_A_SERVICE[key])} == set()
    assert service["restart"] in RESTARTS
    assert TIME.fullmatch(service.get("stop_grace_period", "1m"))
    assert all(isinstance(value, str) for value in service.get("environment", {}).values())


def is_a(value: object, kind: Any) -> bool:
    return type(value) is kind


@pytest.mark.parametrize("name", [name for name in SERVICES if "healthcheck" in SERVICES[name]])
def test_a_healthcheck_has_what_the_format_has(name: str) -> None:
    check = SERVICES[name]["healthcheck"]

    assert set(check) <= OF_A_HEALTHCHECK
    assert check["test"][0] in {"CMD", "CMD-SHELL"}
    assert len(check["test"]) == 2 or check["test"][0] == "CMD"
    for key in {"interval", "timeout", "start_period"} & set(check):
        assert TIME.fullmatch(check[key])


@pytest.mark.parametrize("name", SERVICES)
def test_what_a_service_waits_for_can_come_about(name: str) -> None:
    for other, given in SERVICES[name].get("depends_on", {}).items():
        match given["condition"]:
            case "service_healthy":
                assert "healthcheck" in SERVICES[other]
            case "service_completed_successfully":
                assert SERVICES[other]["restart"] == "no"
            case condition:
                pytest.fail(f"unknown: {condition}")


@pytest.mark.parametrize("name", SERVICES)
def test_every_volume_is_declared(name: str) -> None:
    named = {volume.partition(":")[0] for volume in SERVICES[name].get("volumes", [])}

    assert named <= set(COMPOSE["volumes"])


@pytest.mark.parametrize("image", [SERVICES["database"]["image"], SERVICES["redis"]["image"]])
def test_an_image_of_others_is_pinned_to_one_version(image: str) -> None:
    assert re.fullmatch(r"[a-z]+:\d+(\.\d+)+(-[a-z]+)?", image)


def test_the_image_of_ours_is_pinned_to_one_python() -> None:
    (base,) = instructions("FROM")

    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-[a-z]+", base)


def test_no_port_is_open_to_the_outside() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", ())]

    assert [port for port in ports if not port.startswith("127.0.0.1:")] == []


def test_what_the_image_is_made_of_is_there_and_not_left_out() -> None:
    left_in = (PROJECT / ".dockerignore").read_text().split()
    sources = [word for line in instructions("COPY") for word in line.split()[:-1]]

    assert "*" in left_in
    assert {f"!{source}" for source in sources} <= set(left_in)
    assert all((PROJECT / source).exists() for source in sources)


def test_the_image_does_not_run_as_root() -> None:
    assert list(instructions("USER")) == ["n8n"]


@pytest.mark.parametrize(("place", "variable"), list(variables()))
def test_a_variable_is_a_setting(place: str, variable: str) -> None:
    assert hasattr(project, variable), place


@pytest.mark.parametrize("place", [one for one in COMMANDS if COMMANDS[one][0] == "scrapy"])
def test_a_command_of_scrapys_exists_with_its_options(place: str) -> None:
    _, name, *words = COMMANDS[place]
    settings = get_project_settings()
    command = _get_commands_dict(settings, inproject=True)[name]
    command.settings = settings
    parser: argparse.ArgumentParser = ScrapyArgumentParser(conflict_handler="resolve")
    command.add_options(parser)

    _, rest = parser.parse_known_args(words)
    assert [one for one in rest if one.startswith("-")] == []


@pytest.mark.parametrize("place", [one for one in COMMANDS if COMMANDS[one][0] == "celery"])
def test_a_command_of_celerys_exists_with_its_options(place: str) -> None:
    program = pytest.importorskip("celery.bin.celery").celery
    _, app, of_ours, name, *words = COMMANDS[place]
    command = program.commands[name]
    known = {option for one in command.params for option in one.opts}

    assert (app, of_ours) == ("-A", "n8n_scraper.workers")
    assert {word.partition("=")[0] for word in words if word.startswith("-")} <= known
    assert [word for word in words if not word.startswith("-")] in ([], ["ping"])


def test_redis_takes_the_options_that_compose_gives_it(redis_program: None, tmp_path: Path) -> None:
    program, *options = COMMANDS["compose.yaml: redis"]
    trial = ["--port", str(free_port()), "--dir", str(tmp_path), "--daemonize", "no"]

    # It says what is wrong with an option before it looks at its terminal's input.
    with subprocess.Popen([program, *options, *trial], stdout=subprocess.PIPE, text=True) as redis:
        assert redis.stdout is not None
        said = []
        for line in redis.stdout:
            said.append(line)
            if "Ready to accept connections" in line:
                redis.terminate()

    assert redis.returncode == 0, said


def test_every_program_is_one_that_its_image_has() -> None:
    programs = {words[0] for words in COMMANDS.values()}

    assert programs <= {"celery", "scrapy", "redis-server", "redis-cli", "pg_isready"}


@pytest.mark.parametrize("path", [*UNITS, *TIMERS], ids=lambda path: path.name)
def test_a_unit_is_one_that_systemd_understands(path: Path, tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("SKIPPED WITHOUT SYSTEMD: no systemd-analyze")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for program_of_ours in ("celery", "scrapy"):
        (tmp_path / ".venv" / "bin" / program_of_ours).symlink_to(sys.executable)
    for one in (*UNITS, *TIMERS):  # a timer is looked at with what it begins
        text = one.read_text().replace("/opt/n8n-scraper", str(tmp_path))
        (tmp_path / one.name).write_text(text)

    ran = subprocess.run(
        [program, "verify", tmp_path / path.name],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("path", [one for one in UNITS if one not in ROUNDS], ids=lambda p: p.name)
def test_a_unit_stays_down_only_for_what_a_person_has_to_put_right(path: Path) -> None:
    service = unit(path)["Service"]

    assert (service["Restart"], service["RestartPreventExitStatus"]) == ("always", "2")
    assert service["User"] == "n8n"


def test_the_page_on_three_machines_names_every_unit() -> None:
    page = (PROJECT / "docs/how-to/run-on-three-machines.md").read_text()

    assert all(f"cp deploy/systemd/{path.name} " in page for path in UNITS if path not in ROUNDS)

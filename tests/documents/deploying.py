"""What compose.yaml, the Dockerfile and the units of systemd say."""

import configparser
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.documents.reading import PROJECT

COMPOSE = yaml.safe_load((PROJECT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
UNITS = sorted((PROJECT / "deploy" / "systemd").glob("*.service"))
ROUNDS = [path for path in UNITS if "-sites-" in path.name]
TIMERS = sorted((PROJECT / "deploy" / "systemd").glob("*.timer"))
WORKFLOWS = sorted((PROJECT / "deploy" / "workflows").glob("*.yml"))
DOCKERFILE = (PROJECT / "Dockerfile").read_text()


def unit(path: Path) -> configparser.ConfigParser:
    """Read a unit; it has no key twice."""
    read = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    read.optionxform = str  # type: ignore[assignment,method-assign] - keys keep their case
    read.read(path)
    return read


def instructions(name: str) -> Iterator[str]:
    """Give what follows an instruction of the Dockerfile, each time that it stands there."""
    for line in DOCKERFILE.replace("\\\n", " ").splitlines():
        if line.startswith(f"{name} "):
            yield line.removeprefix(f"{name} ")


def workflow(path: Path) -> dict[str, Any]:
    """Read a workflow; YAML takes its key `on` for a truth."""
    read: dict[Any, Any] = yaml.safe_load(path.read_text())
    return {"on" if key is True else key: value for key, value in read.items()}


def steps(path: Path) -> list[dict[str, Any]]:
    """Give the steps of the one job that a workflow has."""
    [job] = workflow(path)["jobs"].values()
    found: list[dict[str, Any]] = job["steps"]
    return found


def _of_ours(script: str) -> Iterator[list[str]]:
    """Give the commands of ours in a script, wherever in a line they stand."""
    for found in re.findall(r"(?:^| )(scrapy .*)$", script, re.MULTILINE):
        yield shlex.split(found)


def commands() -> Iterator[tuple[str, list[str]]]:
    """Give every command that one of them runs, and where it stands."""
    for name, service in SERVICES.items():
        if "command" in service:
            yield f"compose.yaml: {name}", service["command"]
        if "healthcheck" in service:
            kind, *words = service["healthcheck"]["test"]
            yield (
                f"compose.yaml: health of {name}",
                words if kind == "CMD" else shlex.split(words[0].replace("$$", "$")),
            )
    for path in UNITS:
        program, *words = shlex.split(unit(path)["Service"]["ExecStart"])
        yield path.name, [Path(program).name, *words]
    for path in WORKFLOWS:
        for step in steps(path):
            yield from ((path.name, words) for words in _of_ours(step.get("run", "")))
    for command in instructions("CMD"):
        yield "Dockerfile", json.loads(command)


def variables() -> Iterator[tuple[str, str]]:
    """Give every variable that is set for our own programs, and where."""
    for name, service in SERVICES.items():
        if "build" in service:
            yield from ((f"compose.yaml: {name}", one) for one in service["environment"])
    for path in WORKFLOWS:
        [job] = workflow(path)["jobs"].values()
        yield from ((path.name, one) for one in job["env"])
    page = (PROJECT / "docs/how-to/run-on-three-machines.md").read_text()
    (block,) = re.findall(r"# /etc/n8n-scraper\.env.*?\n(.*?)```", page, re.DOTALL)
    yield from (("run-on-three-machines.md", one) for one in re.findall(r"^(\w+)=", block, re.M))

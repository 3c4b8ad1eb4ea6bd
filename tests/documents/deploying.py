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
    for command in instructions("CMD"):
        yield "Dockerfile", json.loads(command)


def variables() -> Iterator[tuple[str, str]]:
    """Give every variable that is set for our own programs, and where."""
    for name, service in SERVICES.items():
        if "build" in service:
            yield from ((f"compose.yaml: {name}", one) for one in service["environment"])
    page = (PROJECT / "docs/how-to/run-on-three-machines.md").read_text()
    (block,) = re.findall(r"# /etc/n8n-scraper\.env.*?\n(.*?)```", page, re.DOTALL)
    yield from (("run-on-three-machines.md", one) for one in re.findall(r"^(\w+)=", block, re.M))

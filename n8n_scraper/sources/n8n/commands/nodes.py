"""`scrapy nodes update|show`: which node types n8n knows, and a newer table of them."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.errors import BadInput
from n8n_scraper.sources.n8n.rules.node_table import (
    FILE,
    PACKAGES,
    NodeTable,
    build_table,
    package_of,
    shipped_table,
    write_table,
)

_USAGE = "write: scrapy nodes show TYPE, or: scrapy nodes update [--n8n-version VERSION]"
_DESCRIPTIONS = "package/dist/types/nodes.json"
_PATIENCE_SECONDS = 300


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Do what was asked."""
    match args:
        case ["show", name]:
            for line in describe(shipped_table(), name):
                say(line)
        case ["update"]:
            try:
                update(opts.n8n_version)
            except BadInput as error:
                refuse(error)
        case _:
            refuse(_USAGE)


def describe(table: NodeTable, name: str) -> list[str]:
    """Say in a line each what the types of this name are; it may come without its package."""
    known = sorted(one for one in table.known if name in (one, one.rpartition(".")[2]))
    if not known:
        refuse(f"n8n {table.n8n_version} has no node type {name!r} of its own.")
    return [_line(table, one) for one in known]


def _line(table: NodeTable, name: str) -> str:
    words = [f"versions {', '.join(f'{one:g}' for one in table.versions(name))}"]
    facts = table.types.get(name)
    if facts is None:
        words.append("derived when n8n starts")
    else:
        words += [flag for flag in ("trigger", "hidden") if getattr(facts, flag)]
        words += ["usable as a tool"] * bool(facts.usable_as_tool)
        words += ["can send and wait"] * bool(facts.send_and_wait)
    return f"{name}: {'; '.join(words)} (package {package_of(name)}, n8n {table.n8n_version})"


def update(n8n_version: str | None) -> None:
    """Rebuild the table from the packages of one n8n version, and keep it in this package."""
    target = files("n8n_scraper.sources.n8n.data") / FILE
    if not isinstance(target, Path):
        raise BadInput("This installation is a zip file; update the table where it is unpacked.")
    npm = shutil.which("npm")
    if npm is None:
        raise BadInput("npm is needed to fetch n8n's packages, and is not there: install Node.js.")
    version = n8n_version or _ask(npm, "view", "n8n", "version")
    table = fetch_table(npm, version)
    unfinished = target.with_suffix(".new")
    unfinished.write_text(write_table(table), "utf-8")
    unfinished.replace(target)
    pairs = sum(len(facts.versions) for facts in table.types.values())
    say(f"n8n {version}: {len(table)} node types, {pairs} types with version.")


def fetch_table(npm: str, n8n_version: str) -> NodeTable:
    """Fetch the packages that belong to this n8n version, and take the facts out of them."""
    wanted = _versions_of_packages(npm, n8n_version)
    with tempfile.TemporaryDirectory() as folder:
        return build_table(
            n8n_version,
            {
                package: _descriptions(npm, f"{package}@{wanted[package]}", Path(folder))
                for package in PACKAGES
            },
        )


def _versions_of_packages(npm: str, n8n_version: str) -> dict[str, str]:
    try:
        needs = json.loads(_ask(npm, "view", f"n8n@{n8n_version}", "dependencies", "--json"))
        return {package: needs[package] for package in PACKAGES}
    except (ValueError, KeyError, TypeError):
        raise BadInput(
            f"npm knows no n8n {n8n_version!r}; write a version such as 2.41.1."
        ) from None


def _descriptions(npm: str, package: str, folder: Path) -> list[dict[str, Any]]:
    name = _ask(npm, "pack", package, "--loglevel=error", "--pack-destination", str(folder))
    with tarfile.open(folder / name.splitlines()[-1]) as packed:
        file = packed.extractfile(_DESCRIPTIONS)
        assert file is not None
        described: list[dict[str, Any]] = json.load(file)
    return described


def _ask(npm: str, *arguments: str) -> str:
    """Run npm and give its answer; when it fails, say what it said last."""
    try:
        ran = subprocess.run(  # noqa: S603 - no shell, and npm is the one on the path
            [npm, *arguments], capture_output=True, text=True, timeout=_PATIENCE_SECONDS, check=True
        )
    except subprocess.CalledProcessError as error:
        said = re.findall(r"^npm error (?!code )(.+)", error.stderr, re.MULTILINE)
        why = said[0] if said else f"exit status {error.returncode}"
        raise BadInput(f"npm {arguments[0]} failed: {why}") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BadInput(f"npm {arguments[0]} did not come to an end: {error}") from None
    return ran.stdout.strip()

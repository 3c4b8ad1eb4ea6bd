"""Look at what is installed: the pinned packages, the optional parts, programs."""

from __future__ import annotations

import platform
import re
import shutil
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from n8n_scraper import __version__
from n8n_scraper.doctor.finding import Finding, ok
from n8n_scraper.doctor.judging import of_extra, of_versions

_ROOT = Path(__file__).parents[2]
_PINNED = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)")
_FOR_WHOEVER_CHANGES_IT = "dev"
_PROGRAMS = ("chromium", "node")


def look(root: Path = _ROOT) -> Iterator[Finding]:
    """Say what there is, and how to get what there is not."""
    pinned = _pins(root / "requirements.txt")
    differing = {
        name: f"{found or 'is missing'} (wanted {wanted})"
        for name, wanted in pinned.items()
        if (found := installed(name)) != wanted
    }
    others = {"Scrapy": version("scrapy"), "Python": platform.python_version()}
    yield of_versions(__version__, others, differing)
    for file in sorted(root.glob("requirements-*.txt")):
        part = file.stem.removeprefix("requirements-")
        if part != _FOR_WHOEVER_CHANGES_IT:
            packages = {name: installed(name) for name in _pins(file)}
            yield of_extra(part, _purpose(file), packages, file.name)
    yield _programs()


def installed(package: str) -> str | None:
    """Give the version of a package; None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _pins(file: Path) -> dict[str, str]:
    """Read the versions that are wanted; none where the project was installed without the file."""
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    return {found[1]: found[2] for line in lines if (found := _PINNED.fullmatch(line.strip()))}


def _purpose(file: Path) -> str:
    """Give the first line, which says what the packages are for."""
    first = file.read_text("utf-8").partition("\n")[0]
    words = first.lstrip("# ").rstrip(".").replace(" besides requirements.txt", "")
    return words[:1].lower() + words[1:]


def _programs() -> Finding:
    found = [f"{name} at {place}" for name in _PROGRAMS if (place := shutil.which(name))]
    lacking = [name for name in _PROGRAMS if not shutil.which(name)]
    words = ", ".join(found + [f"no {name}" for name in lacking])
    return ok("programs", f"{words}, for spiders that need a browser or its language")

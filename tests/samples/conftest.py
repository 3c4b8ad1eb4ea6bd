"""One test for each recorded answer, where somebody has them; otherwise for each of our own.

`N8N_SAMPLES` may name another folder of the same form. What was worked out by hand belongs to the
answers that are listed in `tests/golden/secrets.json`, and is asked of those alone.
"""

import json
from pathlib import Path

import pytest

from tests.conftest import OTHER_SAMPLES, SAMPLES

GOLDEN = Path(__file__).parents[1] / "golden"

FOLDERS = {
    "detail_file": "api-detail",
    "import_file": "api-import",
    "workflow_file": "workflow-json",
}


def recorded(folder: str) -> list[Path]:
    """The recorded answers of one kind; those of no template are left out."""
    return sorted((SAMPLES / folder).glob("[0-9]*.json"), key=lambda path: int(path.stem))


def known_findings() -> dict[str, dict[str, list[list[str | int]]]]:
    """The secrets of each answer that somebody has looked at, by folder and id."""
    known: dict[str, dict[str, list[list[str | int]]]]
    known = json.loads((GOLDEN / "secrets.json").read_text(encoding="utf-8"))
    return known


def recorded_and_known(folder: str) -> list[Path]:
    """The recorded answers of one kind that somebody has looked at; skip unless all are here."""
    known = known_findings()[folder]
    files = [file for file in recorded(folder) if file.stem in known]
    if len(files) < len(known):
        pytest.skip(f"only {len(files)} of the {len(known)} known answers are in {SAMPLES}")
    return files


def is_enough(counted: int, least: int) -> bool:
    """Whether a count over our own recordings proves something; others may be any number."""
    return counted >= least or bool(OTHER_SAMPLES)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for fixture, folder in FOLDERS.items():
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, recorded(folder), ids=lambda path: path.stem)

"""One test for each recorded answer, where somebody has them; otherwise the tests are skipped."""

from pathlib import Path

import pytest

from tests.conftest import SAMPLES

FOLDERS = {
    "detail_file": "api-detail",
    "import_file": "api-import",
    "workflow_file": "workflow-json",
}


def recorded(folder: str) -> list[Path]:
    """The recorded answers of one kind; those of no template are left out."""
    return sorted((SAMPLES / folder).glob("[0-9]*.json"), key=lambda path: int(path.stem))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for fixture, folder in FOLDERS.items():
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, recorded(folder), ids=lambda path: path.stem)

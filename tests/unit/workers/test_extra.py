"""How to install what only workers need."""

import sys
from pathlib import Path

import pytest

from n8n_scraper.workers.extra import missing

ROOT = Path(__file__).parents[3]
COMMAND = "pip install -r requirements-workers.txt"


@pytest.mark.parametrize(
    ("blocked", "said"),
    [
        (["celery"], f"Celery is not installed: {COMMAND}"),
        (["redis"], f"redis-py is not installed: {COMMAND}"),
        (["celery", "redis"], f"Celery and redis-py are not installed: {COMMAND}"),
    ],
)
def test_what_is_missing_is_told_with_the_command_that_installs_it(
    blocked: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("celery", "redis"):
        monkeypatch.setitem(sys.modules, name, None if name in blocked else sys)

    assert missing() == said


def test_the_file_that_the_command_names_has_both() -> None:
    lines = (ROOT / "requirements-workers.txt").read_text().splitlines()

    assert [line.partition("==")[0] for line in lines if "==" in line] == ["celery", "redis"]


def test_nothing_of_it_is_installed_for_who_does_not_ask() -> None:
    assert "celery" not in (ROOT / "requirements.txt").read_text()

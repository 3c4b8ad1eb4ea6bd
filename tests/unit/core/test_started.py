"""How commands are written for who has to paste them."""

import sys
from pathlib import Path

import pytest

from n8n_scraper.core.started import as_started, program


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A script as an environment has it."""
    made = tmp_path / "a b" / "scrapy"
    made.parent.mkdir()
    made.touch()
    return made


def test_a_script_that_the_shell_does_not_find_is_named_as_it_was_started(script: Path) -> None:
    assert program(".venv/bin/scrapy", None) == ".venv/bin/scrapy"
    assert program(str(script), "/usr/bin/env") == f"'{script}'"


def test_a_script_that_the_shell_finds_has_its_short_name(script: Path) -> None:
    assert program(str(script), str(script)) == "scrapy"


@pytest.mark.parametrize("other", ["/lib/scrapy/__main__.py", "/lib/scrapyd/runner.py", ""])
def test_who_was_started_otherwise_is_told_the_short_name(other: str) -> None:
    assert program(other, None) == "scrapy"


def test_only_commands_are_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [".venv/bin/scrapy", "status"])
    monkeypatch.setenv("PATH", "")

    assert as_started("now: scrapy crawl workflows, or `scrapy list`") == (
        "now: .venv/bin/scrapy crawl workflows, or `.venv/bin/scrapy list`"
    )
    kept = "scrapy: the n8n-scrapy thing and /opt/scrapy crawl"
    assert as_started(kept) == kept

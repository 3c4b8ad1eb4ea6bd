"""The start of `scrapy …`: what every command waits for before its own work begins."""

import os
import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

import pytest

from n8n_scraper import commands
from n8n_scraper.commands import cli

HEAVY = {
    *("alembic", "sqlalchemy", "psycopg", "pyarrow", "rich", "aiohttp", "requests", "tldextract"),
    *("youtube_transcript_api", "detect_secrets", "markdown_it", "yaml", "PIL"),
    *("sqlalchemy.orm", "sqlalchemy.dialects.postgresql", "n8n_scraper.sources.n8n.item"),
}
NEEDED = {
    "list": set(),
    "crawl nowhere": set(),
    "crawl workflows -s RATE_LIMIT_RATE=x": {"sqlalchemy"},  # which reads the database's address
    "crawl workflows -a limit=x": {"sqlalchemy"},
    "status": {"sqlalchemy", "sqlalchemy.orm"},
}
"""What of it a command has imported when its answer is there, and it has ended."""
SCRAPYS_OWN = {"parse", "shell", "version"}
"""Commands of Scrapy's that only say a little more here."""
_AS_SCRAPY_DOES = """
import sys
from scrapy.cmdline import _get_commands_dict
from scrapy.utils.project import get_project_settings
found = _get_commands_dict(get_project_settings(), inproject=True)
assert found["status"].__module__ == "n8n_scraper.commands.cli.status"
print(*sys.modules)
"""
_AS_A_PERSON_DOES = """
import atexit, sys
from scrapy.cmdline import execute
atexit.register(lambda: print(*sys.modules))
execute()
"""


def names(package: object) -> set[str]:
    return {module.name for module in iter_modules(package.__path__)}


def test_finding_the_commands_imports_nothing_that_takes_time() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _AS_SCRAPY_DOES], capture_output=True, text=True, check=True
    )

    assert HEAVY & set(ran.stdout.split()) == set()


@pytest.mark.parametrize("command", NEEDED)
def test_a_command_imports_no_more_than_its_answer_needs(command: str, sqlite_url: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _AS_A_PERSON_DOES, *command.split()],
        env={**os.environ, "DATABASE_URL": sqlite_url},
        capture_output=True,
        text=True,
        check=False,
    )

    assert "Traceback" not in ran.stderr
    assert HEAVY & set(ran.stdout.split()) == NEEDED[command]


@pytest.mark.parametrize("name", sorted(names(cli) - SCRAPYS_OWN))
def test_a_command_has_its_work_under_its_own_name(name: str) -> None:
    command = import_module(f"n8n_scraper.commands.cli.{name}").Command

    work = import_module(getattr(command, "work", "") or f"n8n_scraper.commands.{name}")

    assert callable(work.run)
    assert work.__name__.endswith(f".commands.{name}")


def test_no_work_is_without_a_command() -> None:
    works = {
        name
        for name in names(commands)
        if hasattr(import_module(f"n8n_scraper.commands.{name}"), "run")
    }

    assert works <= names(cli)

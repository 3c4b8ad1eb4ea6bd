"""The start of `scrapy …`: what every command waits for before its own work begins."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from n8n_scraper import cli, commands
from n8n_scraper.storage.database import Database

HEAVY = {
    *("alembic", "sqlalchemy", "psycopg", "pyarrow", "rich", "aiohttp"),
    *("youtube_transcript_api", "detect_secrets", "markdown_it", "yaml", "PIL"),
}
SCRAPYS_OWN = {"parse", "version"}
"""Commands of Scrapy's that only say a little more here."""
_AS_SCRAPY_DOES = """
import sys
from scrapy.cmdline import _get_commands_dict
from scrapy.utils.project import get_project_settings
found = _get_commands_dict(get_project_settings(), inproject=True)
assert found["status"].__module__ == "n8n_scraper.cli.status"
print(*{name.partition(".")[0] for name in sys.modules})
"""
_STATUS = """
import atexit, sys
from scrapy.cmdline import execute
atexit.register(lambda: print(*{name.partition(".")[0] for name in sys.modules}))
execute(["scrapy", "status"])
"""


def names(package: object) -> set[str]:
    return {module.name for module in iter_modules(package.__path__)}


def test_finding_the_commands_imports_nothing_that_takes_time() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _AS_SCRAPY_DOES], capture_output=True, text=True, check=True
    )

    assert HEAVY & set(ran.stdout.split()) == set()


def test_asking_how_a_run_stands_imports_no_more_than_the_answer_needs(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/a.db")
    database.open()
    database.close()

    ran = subprocess.run(
        [sys.executable, "-c", _STATUS],
        env={**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/a.db"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert "no run is in this database yet" in ran.stderr
    assert HEAVY & set(ran.stdout.split()) == {"sqlalchemy"}


@pytest.mark.parametrize("name", sorted(names(cli) - SCRAPYS_OWN))
def test_a_command_has_its_work_under_its_own_name(name: str) -> None:
    assert callable(import_module(f"n8n_scraper.commands.{name}").run)


def test_no_work_is_without_a_command() -> None:
    assert names(commands) - names(cli) == {"base"}

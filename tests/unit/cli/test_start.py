"""The start of `scrapy …`: what every command waits for before its own work begins."""

import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

import pytest

from n8n_scraper import cli, commands

HEAVY = {
    *("alembic", "sqlalchemy", "psycopg", "pyarrow", "rich", "requests", "aiohttp"),
    *("youtube_transcript_api", "detect_secrets", "markdown_it", "yaml", "PIL"),
}
_AS_SCRAPY_DOES = """
import sys
from scrapy.cmdline import _get_commands_dict
from scrapy.utils.project import get_project_settings
found = _get_commands_dict(get_project_settings(), inproject=True)
assert found["status"].__module__ == "n8n_scraper.cli.status"
print(*{name.partition(".")[0] for name in sys.modules})
"""


def names(package: object) -> set[str]:
    return {module.name for module in iter_modules(package.__path__)}


def test_finding_the_commands_imports_nothing_that_takes_time() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _AS_SCRAPY_DOES], capture_output=True, text=True, check=True
    )

    assert HEAVY & set(ran.stdout.split()) == set()


@pytest.mark.parametrize("name", sorted(names(cli)))
def test_a_command_has_its_work_under_its_own_name(name: str) -> None:
    assert callable(import_module(f"n8n_scraper.commands.{name}").run)


def test_no_work_is_without_a_command() -> None:
    assert names(commands) - names(cli) == {"base"}

"""What the reference says of the settings is what they are."""

import ast
import re
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from scrapy.settings import default_settings

from n8n_scraper import settings
from n8n_scraper.core.environment import defaults
from n8n_scraper.crawl.checks import COMPONENTS
from n8n_scraper.serve.options import ServeOptions
from n8n_scraper.stack.stack_settings import StackSettings
from n8n_scraper.workers.worker_settings import WorkerSettings

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs/reference/settings.md").read_text()
# That one is put together from the version and the contact.
FROM_ENVIRONMENT = {name: defaults[name] for name in defaults if name != "USER_AGENT"}
# Those of a source are that source's affair, and Scrapy reads its own.
OF_A_SOURCE = {"N8N_SITE_URL", "N8N_API_URL", "N8N_CONTRACT_ID", "HK_EVENTS_URL", "EVENTS_URL"}
BESIDES_CRAWLS = (WorkerSettings, StackSettings, ServeOptions)
OURS = sorted({name for name in defaults if not hasattr(default_settings, name)} - OF_A_SOURCE)
MEASURED = {"number", "seconds", "share", "whole"}


def test_every_setting_that_differs_from_scrapys_is_explained() -> None:
    ours = [name for name in dir(settings) if name.isupper()]

    assert [name for name in ours if f"`{name}`" not in REFERENCE] == []


def test_its_default_and_its_variable_are_named() -> None:
    said = {
        name: f"default `{default}" if default else "default empty"
        for name, default in FROM_ENVIRONMENT.items()
    }

    assert {name: words for name, words in said.items() if words not in line_of(name)} == {}
    assert [name for name in said if not line_of(name).endswith("· env")] == []


def line_of(name: str) -> str:
    """The line of the reference that is about a setting."""
    return next(line for line in REFERENCE.splitlines() if line.startswith(f"> **`{name}`**"))


def test_a_line_of_the_log_carries_its_date_and_its_zone() -> None:
    moment = time.strftime(settings.LOG_DATEFORMAT, time.localtime(0))

    assert re.fullmatch(r"(1970-01-01|1969-12-31) \d\d:\d\d:\d\d[+-]\d{4}", moment)


def test_a_setting_is_read_by_the_typed_settings_of_one_component() -> None:
    typed = [{f"{one.__module__}.{one.__name__}"} for one in COMPONENTS + BESIDES_CRAWLS]
    readers = {name: {place for place, _ in reads_of(name)} for name in OURS}

    assert {name: places for name, places in readers.items() if places not in typed} == {}


def test_what_is_measured_has_its_unit_in_the_reference() -> None:
    measured = [name for name in OURS if any(how in MEASURED for _, how in reads_of(name))]
    has_unit = re.compile(r"default `[^`]+` \([^)]+\) · env$")

    assert len(measured) > 20
    assert [name for name in measured if not has_unit.search(line_of(name))] == []


def test_the_reader_of_a_setting_is_found_wherever_it_stands() -> None:
    code = """
class Two:
    def read(self):
        return number(self.settings, "A_RATE"), self.crawler.settings["A_NAME"]
def read(settings):
    settings.getint("A_NUMBER")
"""

    assert sorted(reads_in(ast.parse(code), "m")) == [
        ("A_NAME", "m.Two", "[]"),
        ("A_NUMBER", "m", "getint"),
        ("A_RATE", "m.Two", "number"),
    ]


def reads_of(name: str) -> set[tuple[str, str]]:
    """Where a setting is read in the package, and how."""
    return {(place, how) for one, place, how in all_reads() if one == name}


@cache
def all_reads() -> list[tuple[str, str, str]]:
    return [
        read
        for path in sorted((ROOT / "n8n_scraper").rglob("*.py"))
        for module in [".".join(path.relative_to(ROOT).with_suffix("").parts)]
        for read in reads_in(ast.parse(path.read_text()), module)
    ]


def reads_in(tree: ast.AST, place: str) -> Iterator[tuple[str, str, str]]:
    """Find each `settings["NAME"]`, `settings.get("NAME")` and `reader(settings, "NAME")`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Subscript) and are_settings(node.value):
            yield from ((name, place, "[]") for name in texts([node.slice]))
        if isinstance(node, ast.Call):
            how, of = called(node.func)
            if are_settings(of) or any(map(are_settings, node.args)):
                yield from ((name, place, how) for name in texts(node.args))
        inner = f"{place}.{node.name}" if isinstance(node, ast.ClassDef) else place
        yield from reads_in(node, inner)


def called(function: ast.expr) -> tuple[str, ast.expr | None]:
    """The name of what is called, and what it is called of."""
    if isinstance(function, ast.Attribute):
        return function.attr, function.value
    return (function.id if isinstance(function, ast.Name) else ""), None


def are_settings(node: ast.expr | None) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name == "settings"


def texts(nodes: list[ast.expr]) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ast.Constant)]

"""Everything that is documented can be pasted as it stands."""

import argparse
import re

import pytest
from scrapy.cmdline import ScrapyArgumentParser, _get_commands_dict
from scrapy.settings import default_settings
from scrapy.utils.project import get_project_settings

from n8n_scraper import settings as project
from n8n_scraper.core.clock import utc_now
from n8n_scraper.crawl.spider_loader import SturdySpiderLoader
from n8n_scraper.records.rereading.selection import Selection
from n8n_scraper.sources import source_of
from n8n_scraper.spiders.planned import PlannedSpider
from tests.documents.reading import PROJECT, Command, blocks, commands, named

SCRAPY = [one for one in commands() if one.program and one.program[0].endswith("bin/scrapy")]
SETTINGS = {name for module in (project, default_settings) for name in dir(module)} | {"JOBDIR"}
LOADER = SturdySpiderLoader.from_settings(get_project_settings())
SPIDERS = [
    spider for name in LOADER.list() if issubclass(spider := LOADER.load(name), PlannedSpider)
]
OF_OTHERS = {"SCRAPY_SETTINGS_MODULE"}


@pytest.fixture(scope="module")
def parsers() -> dict[str, argparse.ArgumentParser]:
    """What each command of the project takes."""
    settings = get_project_settings()
    made = {}
    for name, command in _get_commands_dict(settings, inproject=True).items():
        command.settings = settings
        made[name] = ScrapyArgumentParser(conflict_handler="resolve", exit_on_error=False)
        command.add_options(made[name])
    return made


def test_the_documentation_has_commands() -> None:
    assert len(SCRAPY) > 30


def test_no_command_needs_a_path_that_a_newcomer_has_not() -> None:
    without = [one for one in commands() if one.program[:1] in (["scrapy"], ["python"], ["pip"])]

    assert without == []


def test_every_documented_command_exists_with_its_options(
    parsers: dict[str, argparse.ArgumentParser],
) -> None:
    documented = [*SCRAPY, *named()]

    assert [one for one in documented if unknown_options(one, parsers)] == []


def unknown_options(command: Command, parsers: dict[str, argparse.ArgumentParser]) -> list[str]:
    """The options that a command does not take; its name, where there is no such command."""
    _, name, *words = command.program
    if (parser := parsers.get(name.split("|")[0])) is None:
        return [name]
    _, rest = parser.parse_known_args([one for one in words if one != "&"])
    return [one for one in rest if one.startswith("-")]


def test_every_documented_setting_exists() -> None:
    given = {
        (str(command), name)
        for command in commands()
        for name in (
            *re.findall(r"(?:-s |setting=)([A-Z_0-9]+)=", " ".join(command.words)),
            *command.variables,
        )
    }

    assert len(given) > 30
    assert [(command, name) for command, name in given if name not in SETTINGS | OF_OTHERS] == []


@pytest.mark.parametrize("command", [one for one in SCRAPY if "-a" in one.words], ids=str)
def test_a_documented_argument_exists(command: Command) -> None:
    given = {
        word.partition("=")[0]: word.partition("=")[2]
        for option, word in zip(command.words, command.words[1:], strict=False)
        if option == "-a"
    }

    if "reread" in command.words:
        Selection.parse(source_of("n8n"), given, utc_now())
    else:
        [spider] = [one for one in SPIDERS if one.name in command.words]
        spider.check_arguments(given)


@pytest.mark.parametrize("command", [one for one in commands() if one.program[:1] == ["make"]])
def test_a_documented_target_of_make_exists(command: Command) -> None:
    targets = re.findall(r"^([\w./-]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE)

    assert set(command.program[1:]) <= set(targets)


@pytest.mark.parametrize(("page", "code"), list(blocks("python")))
def test_documented_python_is_python(page: str, code: str) -> None:
    compile(code, page, "exec")

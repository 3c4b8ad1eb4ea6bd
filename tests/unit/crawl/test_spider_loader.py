"""Finding the spiders where one of them is broken."""

from pathlib import Path

import pytest
from scrapy import Request
from scrapy.settings import Settings

from n8n_scraper.crawl.spider_loader import SturdySpiderLoader
from n8n_scraper.sources import all_sources

OF_SOURCES = {source.spider for source in all_sources()}
_GOOD = "from scrapy import Spider\nclass Good(Spider):\n    name = 'good'\n"
_BROKEN = {
    "missing": "import nowhere_at_all\n",
    "slip": "def parse(:\n",
    "raises": "LIMIT = 1 / 0\n",
}


_CANNOT_KNOW = """
import scrapy
from n8n_scraper.core.errors import BadInput

class Unknowing(scrapy.Spider):
    name = "unknowing"

    @classmethod
    def handles_request(cls, request):
        raise BadInput("sites.toml:3: it is broken.")
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A package in which the broken spider comes first."""
    name = f"spiders_with_{request.param}"
    folder = tmp_path / name
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "a_broken.py").write_text(_BROKEN[request.param])
    (folder / "good.py").write_text(_GOOD)
    monkeypatch.syspath_prepend(tmp_path)
    return name


@pytest.mark.parametrize("package", _BROKEN, indirect=True)
def test_a_module_that_cannot_be_imported_is_named_and_the_others_can_be_used(
    package: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings({"SPIDER_MODULES": [package]})

    found = [set(SturdySpiderLoader.from_settings(settings).list()) for _ in range(2)]

    assert found == [OF_SOURCES | {"good"}] * 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith(f"scrapy: {package}.a_broken cannot be imported")
    assert "a_broken.py, line 1)" in said


def test_the_spider_of_every_source_is_found_whatever_else_there_is() -> None:
    loader = SturdySpiderLoader.from_settings(Settings())

    assert set(loader.list()) == OF_SOURCES
    assert all(loader.load(one.spider).name == one.spider for one in all_sources())


def test_what_keeps_a_spider_from_knowing_its_addresses_costs_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "spiders_that_cannot_know"
    folder.mkdir()
    (folder / "__init__.py").write_text(_CANNOT_KNOW)
    monkeypatch.syspath_prepend(tmp_path)
    loader = SturdySpiderLoader.from_settings(Settings({"SPIDER_MODULES": [folder.name]}))

    with pytest.raises(SystemExit) as left:
        loader.find_by_request(Request("https://a.example"))

    assert left.value.code == 2
    assert capsys.readouterr().err == "scrapy: sites.toml:3: it is broken.\n"

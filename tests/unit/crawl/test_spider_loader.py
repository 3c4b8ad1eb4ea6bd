"""Finding the spiders where one of them is broken."""

from pathlib import Path

import pytest
from scrapy.settings import Settings

from n8n_scraper.crawl.spider_loader import SturdySpiderLoader

_GOOD = "from scrapy import Spider\nclass Good(Spider):\n    name = 'good'\n"
_BROKEN = {
    "missing": "import nowhere_at_all\n",
    "slip": "def parse(:\n",
    "raises": "LIMIT = 1 / 0\n",
}


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

    found = [SturdySpiderLoader.from_settings(settings).list() for _ in range(2)]

    assert found == [["good"], ["good"]]
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith(f"scrapy: {package}.a_broken cannot be imported")
    assert "a_broken.py, line 1)" in said

"""What the reference says of the settings is what they are."""

import re
from pathlib import Path

import pytest

from n8n_scraper import settings

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs/reference/settings.md").read_text()
SOURCE = (ROOT / "n8n_scraper/settings.py").read_text()
FROM_ENVIRONMENT = dict(re.findall(r'^(\w+) = setting\("\w+", "?([^")]*)"?\)', SOURCE, re.M))


@pytest.mark.parametrize("name", [name for name in dir(settings) if name.isupper()])
def test_every_setting_that_differs_from_scrapys_is_explained(name: str) -> None:
    assert f"`{name}`" in REFERENCE


@pytest.mark.parametrize(("name", "default"), FROM_ENVIRONMENT.items())
def test_its_default_and_its_variable_are_named(name: str, default: str) -> None:
    line = next(line for line in REFERENCE.splitlines() if line.startswith(f"> **`{name}`**"))

    assert (f"default `{default}" if default else "default empty") in line
    assert line.endswith("· env")

"""What the reference says of the settings is what they are."""

import re
import time
from pathlib import Path

import pytest

from n8n_scraper import settings
from n8n_scraper.core.environment import defaults

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs/reference/settings.md").read_text()
# That one is put together from the version and the contact.
FROM_ENVIRONMENT = {name: defaults[name] for name in defaults if name != "USER_AGENT"}


@pytest.mark.parametrize("name", [name for name in dir(settings) if name.isupper()])
def test_every_setting_that_differs_from_scrapys_is_explained(name: str) -> None:
    assert f"`{name}`" in REFERENCE


@pytest.mark.parametrize(("name", "default"), FROM_ENVIRONMENT.items())
def test_its_default_and_its_variable_are_named(name: str, default: str) -> None:
    line = next(line for line in REFERENCE.splitlines() if line.startswith(f"> **`{name}`**"))

    assert (f"default `{default}" if default else "default empty") in line
    assert line.endswith("· env")


def test_a_line_of_the_log_carries_its_date_and_its_zone() -> None:
    moment = time.strftime(settings.LOG_DATEFORMAT, time.localtime(0))

    assert re.fullmatch(r"(1970-01-01|1969-12-31) \d\d:\d\d:\d\d[+-]\d{4}", moment)

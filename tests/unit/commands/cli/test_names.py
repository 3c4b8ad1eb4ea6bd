"""Every command of the project's looks at the names of its settings first."""

import argparse

import pytest
from scrapy.settings import Settings

from n8n_scraper import settings as project
from n8n_scraper.commands.cli.status import Command


def test_a_slip_in_a_settings_name_is_told_before_anything_is_looked_up(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = Command()
    command.settings = Settings()
    command.settings.setmodule(project)
    command.settings.set("DATABSE_URL", "sqlite:///other.db", priority="cmdline")

    with pytest.raises(SystemExit) as left:
        command.run([], argparse.Namespace())

    assert left.value.code == 2
    assert capsys.readouterr().err == (
        "scrapy: -s DATABSE_URL: there is no such setting; is it DATABASE_URL?\n"
    )

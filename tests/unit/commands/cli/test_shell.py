"""`scrapy shell` at a site that is not reached."""

import argparse

import pytest
from scrapy.commands.shell import Command as ShellCommand
from scrapy.exceptions import IgnoreRequest
from twisted.internet.error import ConnectionRefusedError as Refused

from n8n_scraper.commands.cli.shell import Command
from n8n_scraper.core.exit_status import ExitStatus

URL = "http://127.0.0.1:9/"


def asked(monkeypatch: pytest.MonkeyPatch, error: Exception) -> Command:
    """Scrapy's command, which raises what its request came to."""

    def raising(*_: object) -> None:
        raise error

    monkeypatch.setattr(ShellCommand, "run", raising)
    command = Command()
    command.run([URL], argparse.Namespace())
    return command


@pytest.mark.parametrize("error", [Refused("refused"), IgnoreRequest("Forbidden by robots.txt")])
def test_a_site_that_cannot_be_had_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    command = asked(monkeypatch, error)

    said = capsys.readouterr().err
    assert command.exitcode == ExitStatus.SITE_DOWN
    assert said.startswith(f"scrapy: {URL} could not be had: {type(error).__name__}")
    assert said.count("\n") == 1


def test_an_error_in_what_is_tried_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NameError):
        asked(monkeypatch, NameError("undefined_name"))

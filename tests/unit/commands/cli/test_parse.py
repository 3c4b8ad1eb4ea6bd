"""`scrapy parse` with a callback that is none."""

import argparse
from types import SimpleNamespace

import pytest

from n8n_scraper.commands.cli.parse import Command
from n8n_scraper.sources.n8n.spider import WorkflowsSpider


def test_a_callback_that_the_spider_has_not_is_refused_with_those_that_it_has(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkflowsSpider, "start", WorkflowsSpider.start)  # put back afterwards
    command = Command()
    loader = SimpleNamespace(load=lambda _name: WorkflowsSpider)
    command.crawler_process = SimpleNamespace(spider_loader=loader)  # type: ignore[assignment]
    asked = argparse.Namespace(spider="workflows", callback="nope")

    with pytest.raises(SystemExit) as left:
        command.set_spidercls("https://n8n.io/workflows/1954", asked)

    said = capsys.readouterr().err
    assert (left.value.code, said.count("\n")) == (2, 1)
    assert said.startswith("scrapy: spider 'workflows' has no callback 'nope'; it has: ")
    assert " parse, " in said
    assert " _" not in said

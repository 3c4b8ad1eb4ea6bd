"""Starts the stand-in of a source as a child process, for tests and for the demo."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from n8n_scraper.core.source import Source
from n8n_scraper.sources import all_sources, source_of
from n8n_scraper.testing.replica.running import Running, running
from n8n_scraper.testing.replica.running import StandInError as StandInError
from n8n_scraper.testing.replica.script import Script


def script_of(source: Source) -> Script[Any]:
    """Give what the stand-in of a source plays."""
    script: Script[Any] = import_module(source.stand_in).SCRIPT
    return script


def source_named(name: str | None) -> Source:
    """Give the source of this name, the first where none is named."""
    return all_sources()[0] if name is None else source_of(name)


@contextmanager
def running_stand_in(
    size: int | None = None, seed: int | None = None, *, source: str | None = None, **given: Any
) -> Iterator[Any]:
    """Run the stand-in of a source on a free port for as long as the block lasts.

    Its size may also be given as what its items are called, as in `templates=60`; all else that is
    given are switches.
    """
    script = script_of(source_named(source))
    size = given.pop(script.noun, size)
    with running(script, size, seed, kind=script.running or Running, **given) as stand_in:
        yield stand_in

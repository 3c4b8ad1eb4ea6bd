"""Starts the stand-in of n8n.io as a child process, for tests and for the demo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from n8n_scraper.sources.n8n.replica.catalogue import Catalogue
from n8n_scraper.sources.n8n.replica.script import SCRIPT
from n8n_scraper.sources.n8n.replica.templates import Truth
from n8n_scraper.testing.replica.running import Running, running
from n8n_scraper.testing.replica.running import StandInError as StandInError


class RunningStandIn(Running[Catalogue]):
    """A running stand-in of n8n.io, and what is true of its templates."""

    @property
    def catalogue(self) -> Catalogue:
        """The templates as they are by now."""
        return self.stock

    @property
    def ids(self) -> Sequence[int]:
        """The ids of the published templates, in order."""
        return self.stock.ids

    def truth(self, template_id: int) -> Truth:
        """Tell what an extractor must find for a template."""
        return self.stock.truth(template_id)


@contextmanager
def running_stand_in(
    templates: int | None = None, seed: int | None = None, **switches: object
) -> Iterator[RunningStandIn]:
    """Run a stand-in of n8n.io on a free port for as long as the block lasts."""
    with running(SCRIPT, templates, seed, kind=RunningStandIn, **switches) as stand_in:
        yield stand_in

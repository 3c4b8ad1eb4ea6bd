"""A running stand-in of n8n.io, and what is true of its templates."""

from __future__ import annotations

from collections.abc import Sequence

from n8n_scraper.sources.n8n.replica.catalogue import Catalogue
from n8n_scraper.sources.n8n.replica.templates import Truth
from n8n_scraper.testing.replica.running import Running


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

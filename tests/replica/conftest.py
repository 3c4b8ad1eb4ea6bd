"""One stand-in for all these tests, as good as new for each of them."""

from collections.abc import Iterator

import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.sources.n8n.replica.switches import Switches
from n8n_scraper.testing.stand_in import running_stand_in


@pytest.fixture(scope="package")
def server() -> Iterator[RunningStandIn]:
    """A running stand-in of 200 templates."""
    with running_stand_in(templates=200) as running:
        yield running


@pytest.fixture
def replica(server: RunningStandIn) -> RunningStandIn:
    """The stand-in with an empty log and every switch at its default."""
    server.control(**Switches().model_dump(mode="json"))
    server.reset()
    return server

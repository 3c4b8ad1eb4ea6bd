"""What the metadata say about the steps to come."""

from n8n_scraper.core.dossier import Answer, Planned
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.sources.n8n.pages.first_look import first_look
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.rules.chain import Brought
from tests.unit.making import metadata_answer


def test_the_first_look_says_what_the_metadata_have_brought() -> None:
    answer = Answer(Layer.METADATA, "http://x/", 200, metadata_answer(workflow=None), "t")

    state, brought = first_look(Planned("7"), answer)

    assert state.status is PartStatus.OK
    assert brought == Brought(workflow=False, explanation=True)

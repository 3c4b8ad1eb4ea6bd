"""Which request comes next."""

import pytest

from n8n_scraper.core.item import PartState, PartStatus
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.rules.chain import Brought, ChainMode, Skip, decides, next_step

OK = PartState(status=PartStatus.OK)
MISSING = PartState(status=PartStatus.MISSING, category="not_found")
REFUSED = PartState(status=PartStatus.FAILED, category="forbidden")
BROKEN = PartState(status=PartStatus.FAILED, category="server_error")
ALL = Brought(workflow=True, explanation=True)
FULL, LEAN = ChainMode.FULL, ChainMode.LEAN
M, J, E = Layer.METADATA, Layer.JSON, Layer.EXPLAINER


@pytest.mark.parametrize(
    ("mode", "layers", "brought", "expected"),
    [
        # The full chain asks for all three, whatever has come
        (FULL, {}, Brought(), M),
        (FULL, {M: OK}, ALL, J),
        (FULL, {M: OK, J: OK}, ALL, E),
        (FULL, {M: OK, J: OK, E: OK}, ALL, None),
        # A layer that could not be had does not cost the others
        (FULL, {M: BROKEN}, Brought(), J),
        (FULL, {M: OK, J: MISSING}, ALL, E),
        # The lean chain asks only for what is lacking
        (LEAN, {M: OK}, ALL, Skip(J, "metadata brought the workflow")),
        (LEAN, {M: OK}, Brought(explanation=True), J),
        (LEAN, {M: OK, J: OK}, Brought(workflow=True), E),
        (LEAN, {M: BROKEN}, Brought(), J),
        # What is not there, or not for us, is asked for once
        (FULL, {M: MISSING}, Brought(), Skip(J, "the site has no such template")),
        (FULL, {M: REFUSED}, Brought(), Skip(J, "the site refuses this template")),
    ],
)
def test_the_next_step_follows_from_what_has_come(mode, layers, brought, expected) -> None:
    assert next_step(mode, layers, brought) == expected


UNREADABLE = PartState(status=PartStatus.FAILED, category="bad_content", http_status=200)


@pytest.mark.parametrize("mode", list(ChainMode))
@pytest.mark.parametrize("read", list(Layer))
@pytest.mark.parametrize("others", [{}, {Layer.METADATA: OK}, {Layer.METADATA: OK, Layer.JSON: OK}])
@pytest.mark.parametrize("says", [(OK, Brought(True, True)), (UNREADABLE, Brought())])
def test_what_an_answer_says_changes_no_step_where_it_does_not_decide(
    mode: ChainMode, read: Layer, others: dict[Layer, PartState], says: tuple[PartState, Brought]
) -> None:
    if decides(mode, read):
        return
    state, brought = says
    brought = brought if read is Layer.METADATA else Brought()

    unread = next_step(mode, {**others, read: OK}, Brought())

    assert next_step(mode, {**others, read: state}, brought) == unread

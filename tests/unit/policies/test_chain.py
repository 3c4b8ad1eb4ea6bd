"""Which request comes next."""

import pytest

from n8n_scraper.items import Layer, LayerState, LayerStatus
from n8n_scraper.policies.chain import Brought, ChainMode, Skip, next_step

OK = LayerState(status=LayerStatus.OK)
MISSING = LayerState(status=LayerStatus.MISSING, category="not_found")
REFUSED = LayerState(status=LayerStatus.FAILED, category="forbidden")
BROKEN = LayerState(status=LayerStatus.FAILED, category="server_error")
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

"""The growing record of one template while its chain is under way."""

import pytest

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.sources.n8n.item import Layer, LayerState, LayerStatus


def test_a_new_dossier_knows_its_id_and_has_nothing() -> None:
    dossier = Dossier(Planned("1954"), started=0.0)

    assert dossier.workflow_id == "1954"
    assert not dossier.has_data
    assert (dossier.answers, dossier.layers, dossier.requests) == ({}, {}, 0)


def test_a_layer_is_settled_with_its_reason() -> None:
    dossier = Dossier(Planned("1954"), started=0.0)

    dossier.settle(Layer.JSON, LayerStatus.FAILED, "503 three times", "server_error", 503)

    assert dossier.layers == {
        Layer.JSON: LayerState(
            status=LayerStatus.FAILED,
            reason="503 three times",
            category="server_error",
            http_status=503,
        )
    }


def test_a_layer_that_is_settled_again_ends_as_it_ended_last() -> None:
    dossier = Dossier(Planned("1954"), started=0.0)
    dossier.settle(Layer.JSON, LayerStatus.FAILED, "503")

    dossier.settle(Layer.JSON, LayerStatus.OK)

    assert dossier.layers[Layer.JSON] == LayerState(status=LayerStatus.OK)


@pytest.mark.parametrize(
    ("statuses", "has_data"),
    [
        ([], False),
        ([LayerStatus.OK], True),
        ([LayerStatus.MISSING, LayerStatus.FAILED, LayerStatus.OK], True),
        ([LayerStatus.MISSING, LayerStatus.SKIPPED, LayerStatus.FAILED], False),
    ],
)
def test_there_is_data_as_soon_as_one_layer_is_ok(
    statuses: list[LayerStatus], has_data: bool
) -> None:
    dossier = Dossier(Planned("1954"), started=0.0)

    for layer, status in zip(Layer, statuses, strict=False):
        dossier.settle(layer, status)

    assert dossier.has_data is has_data


def test_two_dossiers_share_nothing() -> None:
    first, second = Dossier(Planned("1"), 0.0), Dossier(Planned("2"), 0.0)

    first.settle(Layer.JSON, LayerStatus.OK)

    assert second.layers == {}


def test_what_is_planned_is_listed_unless_said_otherwise() -> None:
    planned = Planned("1954")

    assert (planned.slug, planned.listed, planned.price, planned.purchase_url) == (
        None,
        True,
        None,
        None,
    )


def test_what_failed_for_a_reason_that_was_the_sites_is_asked_for_again() -> None:
    dossier = Dossier(Planned("1954"), started=0.0)
    dossier.settle(Layer.METADATA, LayerStatus.FAILED, "503 three times", "server_error", 503)
    dossier.settle(Layer.JSON, LayerStatus.FAILED, "half of it", "bad_content")

    dossier.reopen(["server_error", "timeout"])

    assert set(dossier.layers) == {Layer.JSON}

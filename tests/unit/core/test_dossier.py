"""The growing record of one template while its chain is under way."""

import pytest

from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.item import PartState, PartStatus
from n8n_scraper.core.packing import unpack
from n8n_scraper.crawl.compute.frames import Frames, frame

PARTS = ("metadata", "json", "page")


def test_a_new_dossier_knows_its_id_and_has_nothing() -> None:
    dossier = Dossier(Planned("1954"), started=0.0)

    assert dossier.item_id == "1954"
    assert not dossier.has_data
    assert (dossier.answers, dossier.parts, dossier.requests) == ({}, {}, 0)


def test_a_layer_is_settled_with_its_reason() -> None:
    dossier = Dossier(Planned("1954"), started=0.0)

    dossier.settle("json", PartStatus.FAILED, "503 three times", "server_error", 503)

    assert dossier.parts == {
        "json": PartState(
            status=PartStatus.FAILED,
            reason="503 three times",
            category="server_error",
            http_status=503,
        )
    }


def test_a_layer_that_is_settled_again_ends_as_it_ended_last() -> None:
    dossier = Dossier(Planned("1954"), started=0.0)
    dossier.settle("json", PartStatus.FAILED, "503")

    dossier.settle("json", PartStatus.OK)

    assert dossier.parts["json"] == PartState(status=PartStatus.OK)


@pytest.mark.parametrize(
    ("statuses", "has_data"),
    [
        ([], False),
        ([PartStatus.OK], True),
        ([PartStatus.MISSING, PartStatus.FAILED, PartStatus.OK], True),
        ([PartStatus.MISSING, PartStatus.SKIPPED, PartStatus.FAILED], False),
    ],
)
def test_there_is_data_as_soon_as_one_layer_is_ok(
    statuses: list[PartStatus], has_data: bool
) -> None:
    dossier = Dossier(Planned("1954"), started=0.0)

    for layer, status in zip(PARTS, statuses, strict=False):
        dossier.settle(layer, status)

    assert dossier.has_data is has_data


def test_two_dossiers_share_nothing() -> None:
    first, second = Dossier(Planned("1"), 0.0), Dossier(Planned("2"), 0.0)

    first.settle("json", PartStatus.OK)

    assert second.parts == {}


def test_what_is_planned_is_listed_unless_said_otherwise() -> None:
    planned = Planned("1954")

    assert (planned.listed, planned.listing) == (True, {})


def test_what_failed_for_a_reason_that_was_the_sites_is_asked_for_again() -> None:
    dossier = Dossier(Planned("1954"), started=0.0)
    dossier.settle("metadata", PartStatus.FAILED, "503 three times", "server_error", 503)
    dossier.settle("json", PartStatus.FAILED, "half of it", "bad_content")

    dossier.reopen(["server_error", "timeout"])

    assert set(dossier.parts) == {"json"}


def test_a_dossier_is_opened_with_the_answers_that_its_inventory_has_brought() -> None:
    answer = Answer("event", "https://site.example/all", 200, b"<event/>", "2026-01-05")

    dossier = Dossier.opened(Planned("7", answers=(answer,)), started=0.0)

    assert dossier.answers == {"event": answer}
    assert dossier.parts == {"event": PartState(status=PartStatus.OK, http_status=200)}
    assert dossier.requests == 0


def an_answer(body: bytes) -> Answer:
    return Answer("json", "https://n8n.example/1", 200, body, "2026-10-01T00:00:00Z")


def test_an_answer_is_packed_once_whoever_stores_it_and_wherever() -> None:
    answer = an_answer(b"{}" * 100)

    packed = answer.packed

    assert unpack(packed) == answer.body
    assert answer.packed is packed
    (elsewhere,) = Frames().feed(frame(answer))
    assert packed in vars(elsewhere).values()


def test_a_large_answer_is_not_held_in_memory_a_second_time() -> None:
    answer = an_answer(bytes(1_000_000))

    assert unpack(answer.packed) == answer.body
    assert answer.packed not in vars(answer).values()


def test_an_answer_is_the_same_packed_or_not() -> None:
    packed, answer = an_answer(b"{}"), an_answer(b"{}")

    assert packed.packed
    assert packed == answer
    assert hash(packed) == hash(answer)

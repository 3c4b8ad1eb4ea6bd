"""Making a template anew of its answers: as it was, better where the readers are, never worse."""

from dataclasses import replace
from typing import Any

import pytest

from n8n_scraper.core.computing import compute
from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.item import PartStatus
from n8n_scraper.core.source import Provenance
from n8n_scraper.records.rereading.anew import Unreadable, differences, reread
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.source import SOURCE
from tests.unit.making import json_answer, metadata_answer
from tests.unit.sources.n8n.pages.given import html_page

BODIES = {
    Layer.METADATA: metadata_answer(),
    Layer.JSON: json_answer(),
    Layer.EXPLAINER: html_page(
        "<p>It asks an address, and waits for what comes.</p>"
        "<p><img src='https://pictures.example.org/1.png' alt='One'></p>",
        title="Ask an address",
        address="https://n8n.io/workflows/7-ask-an-address/",
    ),
}
Row = dict[str, Any]
Answers = dict[str, Answer]


def answers(day: int, **bodies: bytes) -> Answers:
    """What came on a day of a month, a second before the item was made of it."""
    at = f"2026-11-{day:02}T11:59:59.000Z"
    return {part: Answer(part, "https://n8n.io/", 200, body, at) for part, body in bodies.items()}


def crawled(
    came: Answers, day: int = 1, before: Row | None = None, off: tuple[str, ...] = (), **failed: str
) -> Row:
    """The row of a template whose chain has brought these answers."""
    kind = SOURCE.kind()
    dossier = Dossier(Planned("7", listing={"slug": "ask-an-address"}), started=0.0)
    for part in SOURCE.parts:
        if part in came:
            kind.read(dossier, came[part])
        elif part in failed:
            dossier.settle(part, PartStatus.FAILED, failed[part], "server_error", 500)
        else:
            dossier.settle(part, PartStatus.SKIPPED, "not needed")
    at = f"2026-11-{day:02}T12:00:00.000Z"
    item = kind.assemble(dossier, Provenance("https://n8n.io", f"run {day}", at, 1.5))
    compute(kind.computed, item, off=off)
    row: Row = kind.row(item if before is None else kind.carry_over(before, item))
    return row


def made(row: Row, stored: Answers, *, unwanted: tuple[str, ...] = ()) -> Row:
    item = reread(SOURCE, row, stored, unwanted)
    assert not isinstance(item, Unreadable), item
    again: Row = SOURCE.kind().row(item)
    return again


FULL = answers(1, **BODIES)
LEAN = answers(2, metadata=metadata_answer(totalViews=13))


def test_what_is_read_as_before_is_what_it_was() -> None:
    row = crawled(FULL)

    assert differences(row, made(row, FULL)) == {}


def test_what_was_kept_of_an_earlier_chain_is_what_it_was() -> None:
    second = crawled(LEAN, 2, crawled(FULL))

    assert second["explainer"]["page_text"] is not None
    assert differences(second, made(second, {**FULL, **LEAN})) == {}


def test_what_an_older_reader_did_not_find_is_found() -> None:
    row = crawled(FULL)
    older = {**row, "title": None, "views": 0}
    older["unobserved"] = {**row["unobserved"], "title": "metadata does not give it"}

    found = differences(older, made(older, FULL))

    assert found == {name: row[name] for name in ("title", "views", "unobserved")}


def test_a_better_reader_reaches_what_an_earlier_chain_brought() -> None:
    # Given a page that was read worse than today, and was not asked for since
    row = crawled(LEAN, 2, crawled(FULL))
    worse = {**row["explainer"], "page_text": "It asks an"}
    shown = [one for one in row["images"] if "page" not in one["places"]]
    older = {**row, "explainer": worse, "images": shown}

    again = made(older, {**FULL, **LEAN})

    assert ([one["places"] for one in row["images"]], shown) == ([["page"]], [])
    assert differences(older, again) == {name: row[name] for name in ("explainer", "images")}


def test_what_was_dropped_since_an_earlier_chain_stays_dropped() -> None:
    # Given a page whose text was dropped when the description became another one
    changed = answers(2, metadata=metadata_answer(description="Quite another text."))
    row = crawled(changed, 2, crawled(FULL))
    assert row["explainer"]["page_text"] is None

    assert differences(row, made(row, {**FULL, **changed})) == {}


def test_what_stood_in_an_answer_that_a_worse_one_has_replaced_is_still_known() -> None:
    broken = answers(2, metadata=metadata_answer(), explainer=b"<html><body>none</body></html>")
    second = crawled(broken, 2, crawled(FULL))
    later = answers(3, metadata=metadata_answer())
    third = crawled(later, 3, second)
    assert third["explainer"]["page_text"] is not None

    assert differences(second, made(second, {**FULL, **broken})) == {}
    assert differences(third, made(third, {**FULL, **broken, **later})) == {}


def test_an_answer_that_could_not_be_read_is_had_now() -> None:
    # Given a chain whose JSON came, and could not be read then
    without = {part: one for part, one in FULL.items() if part != Layer.JSON}
    row = crawled({**without, "json": replace(FULL["json"], body=b"[]")})
    assert (row["outcome"], row["layers"]["json"]["status"]) == ("partial", "failed")

    again = made(row, FULL)

    assert (again["outcome"], again["layers"]["json"]["status"]) == ("complete", "ok")
    assert again["sources"]["workflow"] == "json"


def test_an_answer_from_before_does_not_stand_for_one_that_failed() -> None:
    later = answers(2, metadata=BODIES[Layer.METADATA], explainer=BODIES[Layer.EXPLAINER])
    row = crawled(later, 2, crawled(FULL), json="the site answered 500")

    again = made(row, {**FULL, **later})

    assert differences(row, again) == {}
    assert again["outcome"] == "partial"


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        ({**FULL, **answers(1, json=b"[]")}, "json: JSON list where an object was expected"),
        (
            {part: FULL[part] for part in ("metadata", "explainer")},
            "json: its answer is not stored",
        ),
    ],
)
def test_what_was_read_once_and_cannot_be_read_now_leaves_all_as_it_is(
    stored: Answers, reason: str
) -> None:
    assert reread(SOURCE, crawled(FULL), stored) == Unreadable(reason)


def test_what_breaks_the_contract_leaves_all_as_it_is() -> None:
    strange = {**crawled(FULL), "layers": {"metadata": {"status": "ok", "http_status": 200}}}

    assert reread(SOURCE, strange, FULL) == Unreadable("not every layer has a state")


def test_a_removed_item_stays_removed() -> None:
    gone = {**crawled(FULL), "removed_at": "2026-11-09T00:00:00.000Z", "in_inventory": False}

    assert differences(gone, made(gone, FULL)) == {}


def test_what_neither_the_crawl_nor_the_reading_wants_is_left_out() -> None:
    off = crawled(FULL, off=("secrets",))
    on = crawled(FULL)

    assert differences(off, made(off, FULL, unwanted=("secrets",))) == {}
    assert differences(on, made(on, FULL, unwanted=("secrets",))) == {}
    assert made(off, FULL)["secrets"] == []

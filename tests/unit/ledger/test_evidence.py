"""Which answers are kept of an item that could not be had."""

import time

from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.ledger.evidence import LARGEST_BYTES, Evidence


def failed(**bodies: bytes) -> Dossier:
    """A dossier whose answers could not be read; that of `unread` was given up before."""
    dossier = Dossier(Planned("7"), time.monotonic(), requests=1)
    for part, body in bodies.items():
        answer = Answer(part, "https://site.example", 200, body, "2026")
        (dossier.unread if part == "unread" else dossier.answers)[part] = answer
        dossier.settle(part, PartStatus.FAILED, "no JSON")
    return dossier


def parts(evidence: Evidence, dossier: Dossier) -> list[str]:
    return [one.part for one in evidence.of(dossier)]


def test_what_came_and_could_not_be_read_is_kept_as_it_came() -> None:
    kept = Evidence().of(failed(json=b"{", unread=b"<html>"))

    assert {one.part: one.answer.body for one in kept if one.answer} == {
        "json": b"{",
        "unread": b"<html>",
    }


def test_what_is_too_large_is_left_out_whole() -> None:
    assert parts(Evidence(), failed(json=b"x" * (LARGEST_BYTES + 1), metadata=b"{")) == ["metadata"]


def test_when_everything_fails_the_first_are_kept() -> None:
    evidence = Evidence(most_bytes=25)

    assert [parts(evidence, failed(json=b"x" * 10)) for _ in range(4)] == [["json"]] * 2 + [[]] * 2


def test_what_the_inventory_has_brought_is_kept_by_the_plan_already() -> None:
    dossier = failed(event=b"<event")
    dossier.requests = 0

    assert Evidence().of(dossier) == ()

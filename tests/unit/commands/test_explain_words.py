"""What is known of one item, in words."""

from dataclasses import replace

import pytest

from n8n_scraper.commands.explain_words import explanation_lines
from n8n_scraper.core.source import Step
from n8n_scraper.ledger.takedowns import Takedown
from n8n_scraper.reports.domains import Allowed, Circuit
from n8n_scraper.reports.explained import AnswerSeen, Explanation, FieldSeen, Tried
from n8n_scraper.sources.n8n.source import SOURCE

ALLOWED = Allowed("n8n.io", 2.0, False, 4.2, Circuit.CLOSED, 0.0, "")
TRIED = Tried(
    run_id="run-2",
    state="failed",
    outcome="failed",
    category="timeout",
    reason="no answer",
    http_status=None,
    requests=3,
    attempts=2,
    claimed_at="2026-11-19T00:00:00.000Z",
    closed_at="2026-11-19T00:00:09.000Z",
    duration=8.95,
    worker="box:1:x",
)
KNOWN = Explanation(
    source="n8n",
    noun="template",
    item_id="7",
    is_stored=True,
    title=None,
    url="https://n8n.io/workflows/7/",
    outcome="partial",
    scraped_at="2026-11-18T00:00:00.000Z",
    run_id="run-1",
    removed_at="2026-11-19T00:00:00.000Z",
    parts={},
    answers=(AnswerSeen("metadata", "https://api.n8n.io/7", 200, "2026-11-18T00:00:00Z", 9),),
    tried=(TRIED,),
    runs=12,
    versions=1,
    last_event="removed 2026-11-19T00:00:00.000Z",
    fields=(
        FieldSeen("views", 12, "metadata", None),
        FieldSeen("title", None, None, "metadata does not give it"),
    ),
    steps={"full": (Step("metadata", "https://api.n8n.io/7"), Step("json", None, "no need"))},
    pace=(ALLOWED,),
)


def test_of_what_was_taken_down_it_is_told_when_why_and_how_it_may_come_back() -> None:
    noted = Takedown("7", "2026-11-19T08:00:00.000Z", "the author asked")
    gone = replace(KNOWN, is_stored=False, answers=(), tried=(), fields=(), steps={}, pace=())

    assert list(explanation_lines(replace(gone, taken_down=noted), SOURCE)) == [
        "Template 7 of n8n: taken down 2026-11-19T08:00:00Z: the author asked",
        "What would be asked next:",
        "  nothing, before `scrapy takedown --undo 7`",
    ]


def test_all_of_it_is_told_in_its_parts() -> None:
    assert list(explanation_lines(KNOWN, SOURCE)) == [
        "Template 7 of n8n: without a title",
        "  https://n8n.io/workflows/7/",
        "  partial, read 2026-11-18T00:00:00Z in run run-1",
        "  the source has not had it since 2026-11-19T00:00:00Z",
        "  one version, removed 2026-11-19T00:00:00Z",
        "Answers:",
        "  metadata: 200, 2026-11-18T00:00:00Z, 9 bytes, https://api.n8n.io/7",
        "Runs (12):",
        "  run-2: failed: timeout no answer (claimed 2 times, 3 requests, 8.9 s, "
        "2026-11-19T00:00:09Z)",
        "Fields:",
        "  views: 12 (from metadata)",
        "  title: unknown, metadata does not give it",
        "What would be asked next:",
        "  full:",
        "    metadata: https://api.n8n.io/7",
        "    json: not asked, no need",
        "When the pace allows it:",
        "  n8n.io: now (2 requests a second, 4.2 tokens free)",
    ]


def test_an_answer_of_a_chain_under_way_names_its_run() -> None:
    kept = replace(KNOWN.answers[0], bytes=None, run_id="run-3")

    lines = list(explanation_lines(replace(KNOWN, answers=(kept,)), SOURCE))

    assert lines[6].endswith("2026-11-18T00:00:00Z, for run run-3 under way, https://api.n8n.io/7")


def test_an_item_that_is_not_there_says_whether_a_run_has_heard_of_it() -> None:
    never = replace(KNOWN, is_stored=False, runs=0)

    assert next(explanation_lines(never, SOURCE)).endswith("and no run has heard of it")
    planned = next(explanation_lines(replace(never, runs=1), SOURCE))
    assert planned.endswith("the archive has none, though runs have planned it")


@pytest.mark.parametrize(
    ("pace", "words"),
    [
        (replace(ALLOWED, wait_seconds=40, waits_for="circuit"), "in 40 s, its circuit is open"),
        (replace(ALLOWED, wait_seconds=90, waits_for="server"), "in 1 min 30 s, its server asked"),
        (replace(ALLOWED, wait_seconds=2, waits_for="token"), "in 2 s, its next token is not due"),
        (replace(ALLOWED, circuit=Circuit.PROBE_DUE), "now, as a probe of its open circuit"),
        (replace(ALLOWED, rate=0.0), "now (no limit)"),
        (replace(ALLOWED, rate=0.5, learned=True), "0.5 requests a second, learned, 4.2 tokens"),
    ],
)
def test_what_a_request_waits_for_is_said(pace: Allowed, words: str) -> None:
    *_, last = explanation_lines(replace(KNOWN, pace=(pace,)), SOURCE)

    assert words in last

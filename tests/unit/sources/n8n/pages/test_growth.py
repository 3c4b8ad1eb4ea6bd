"""Twice as much to read takes about twice as long, whatever an answer is made of.

The sizes are small, so that the suite is not held up; `tests/bench/test_content_speed.py` has those
of an attack.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from n8n_scraper.core.errors import BadContent
from n8n_scraper.core.item import PartState, PartStatus
from n8n_scraper.core.markup import parsed
from n8n_scraper.sources.n8n.item import Agreement
from n8n_scraper.sources.n8n.pages import workflow as facts
from n8n_scraper.sources.n8n.pages.comparison import are_same_words, compare
from n8n_scraper.sources.n8n.pages.explainer import explain
from n8n_scraper.sources.n8n.pages.markdown import read_markdown
from n8n_scraper.sources.n8n.pages.page import read_page
from n8n_scraper.sources.n8n.pages.readable import readable_html
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.rules.difference import difference
from n8n_scraper.sources.n8n.rules.import_check import check_import
from n8n_scraper.sources.n8n.rules.node_table import shipped_table
from n8n_scraper.sources.n8n.rules.quality import score
from tests.unit.making import template
from tests.unit.sources.n8n.pages.given import html_page

STICKY = "n8n-nodes-base.stickyNote"


def canvas(notes: int) -> dict[str, Any]:
    """So many notes over as many nodes, each note over all nodes."""
    nodes = [{"name": f"N{at}", "type": "x.a", "position": [at % 9, at]} for at in range(notes)]
    paper = {"width": 1e6, "height": 1e6, "content": "all of them"}
    note = {"name": "S", "type": STICKY, "position": [-9, -9], "parameters": paper}
    return {"nodes": [*nodes, *[note] * notes], "connections": {}}


def wired(wires: int, target: str = "A") -> dict[str, Any]:
    wire = {"node": target, "type": "main", "index": 0}
    nodes = [{"name": "A", "type": "x.a", "position": [0, 0], "parameters": {}}]
    return {"nodes": nodes, "connections": {"A": {"main": [[wire] * wires]}}}


def deep(leaves: int) -> dict[str, Any]:
    """A node whose parameters are nested deeply, with much at the bottom."""
    value: Any = list(range(leaves))
    for _ in range(150):
        value = {"a": value}
    return {"nodes": [{"name": "A", "type": "x.a", "parameters": value}], "connections": {}}


def sentences(count: int, verb: str) -> str:
    return " ".join(f"Word{at} {verb} the number {7 * at}." for at in range(count))


def steps(count: int) -> str:
    return "\n\n".join(f"## Step {at}\n\nDo it." for at in range(count))


def page(content: str) -> None:
    read_page(html_page(content), asked="1954")


WORK: dict[str, tuple[int, Callable[[int], Any], Callable[[Any], object]]] = {
    "notes over nodes": (400, canvas, facts.notes),
    "wires": (8_000, wired, facts.edges),
    "wires to nowhere": (
        6_000,
        lambda size: wired(size, "gone"),
        lambda one: check_import(one, name="x", table=shipped_table()),
    ),
    "wires of two versions": (5_000, wired, lambda one: difference(one, {"nodes": []})),
    "a value deep down": (
        3_000,
        lambda size: (deep(size), deep(size + 1)),
        lambda both: difference(*both),
    ),
    "sentences that differ": (
        2_000,
        lambda size: (sentences(size, "is"), sentences(size, "was")),
        lambda both: compare(*both),
    ),
    "sentences in another form": (
        2_000,
        lambda size: (sentences(size, "is"), sentences(size, "is").replace(". ", " ") + " x"),
        lambda both: compare(*both),
    ),
    "steps": (300, steps, read_markdown),
    "drawings one after the other": (6_000, lambda size: "<svg></svg>tail " * size, page),
    "pictures in one another": (1_500, lambda size: "<picture><img src=x>" * size, page),
    "lines that may not break": (5_000, lambda size: "<nobr>a " * size, page),
    "elements with attributes": (800, lambda size: f"<p {'a=1 b=2 ' * 20}>x</p>" * size, page),
}


def seconds(work: Callable[[Any], object], given: Any) -> float:
    """The CPU time of the fastest of four goes: another process can only add to it."""
    taken = []
    for _ in range(4):
        began = time.process_time()
        work(given)
        taken.append(time.process_time() - began)
    return min(taken)


@pytest.mark.parametrize("name", WORK)
def test_twice_the_size_takes_about_twice_as_long(name: str) -> None:
    size, make, work = WORK[name]
    once, twice = make(size), make(2 * size)

    took = [seconds(work, once), seconds(work, twice)]

    assert took[1] <= 2.6 * took[0] + 0.01, took


def test_notes_over_too_many_nodes_list_none_and_that_is_told() -> None:
    item = template()
    item.notes = facts.notes(canvas(300))

    listing = [note for note in item.notes if note.nodes]

    assert all(len(note.nodes) == 300 for note in listing)
    assert 50 < len(listing) < 300
    assert {note.about for note in item.notes} == {"nodes"}
    assert "notes_not_listed" in [issue.code for issue in score(item).issues]


def test_texts_that_would_take_too_long_are_not_compared_and_that_is_told() -> None:
    # Each sentence is made of neighbours that the other has, and stands nowhere in it.
    words = [f"w{at}" for at in range(150)]
    pairs = [(one, other) for one in words for other in words]
    page_text = ", ".join(f"{one} {other}" for one, other in pairs)
    markdown = " ".join(f"{a} {b} {c}." for (a, b), c in zip(pairs, words[3:] * 153, strict=False))

    explained = explain(markdown, page_text)

    assert explained is not None
    assert explained.comparison is None
    item = template()
    item.layers = dict.fromkeys(Layer, PartState(status=PartStatus.OK))
    item.explainer = explained.explainer
    item.agreement = Agreement(same_id=True, same_title=True, same_workflow=True, same_text=None)
    assert [issue.code for issue in score(item).issues if issue.layer == "consistency"] == [
        "not_compared"
    ]


def test_a_thousand_problems_are_named_and_the_others_counted() -> None:
    found = check_import(wired(1_500, "gone"), name="x", table=shipped_table())

    assert len(found.problems) == 1_001
    assert found.problems[-1].rule == "500 more problems"


def test_a_name_beyond_all_measure_is_shortened_in_every_message() -> None:
    name = "x" * 100_000
    broken = {**wired(1), "connections": {name: {"main": [[{"node": "gone"}] * 50]}}}

    found = check_import(broken, name="x", table=shipped_table())

    assert max(len(problem.place) for problem in found.problems) < 400
    assert max(map(len, difference(wired(1), broken).connected)) < 400


def many_attributes(count: int) -> str:
    attributes = " ".join(f'a{at}=">"' for at in range(count))
    return f"<p {attributes}>x</p>"


def test_an_element_with_hundreds_of_attributes_is_no_page() -> None:
    with pytest.raises(BadContent, match="more than 500 attributes"):
        page(many_attributes(501))
    page(many_attributes(500))


def test_nor_is_one_that_says_it_is_xml() -> None:
    with pytest.raises(BadContent, match="not HTML"):
        parsed(f'<?xml version="1.0" encoding="utf-8"?>{many_attributes(501)}')


@pytest.mark.parametrize("part", ["<svg></svg>tail ", "<!-- a -->tail ", "<nav>a</nav>tail "])
def test_a_page_with_tens_of_thousands_of_parts_to_drop_is_refused(part: str) -> None:
    page(part * 15_000)

    with pytest.raises(BadContent, match="more than 20,000 scripts"):
        page(part * 20_001)


def test_such_an_element_in_a_description_is_left_as_it_is_written() -> None:
    source = many_attributes(501)

    assert readable_html(source) == source


def test_words_that_follow_a_sign_are_no_attributes() -> None:
    page("<p>ok</p><script>if (a<b) { say('" + "so many words " * 300 + "') }</script>")


def test_words_that_are_compared_take_no_list_of_them_all() -> None:
    words, other = "word " * 400_000, "word\n" * 400_000 + "more"
    tracemalloc.start()
    try:
        same = are_same_words(words, other)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert not same
    assert peak < 6 * len(words)


def test_texts_of_megabytes_that_differ_are_not_compared() -> None:
    assert compare("one word " * 300_000, "another word " * 300_000) is None
    assert compare("one word " * 300_000, "one\nword. " * 300_000) is not None

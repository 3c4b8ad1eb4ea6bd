"""How good a template is, and why."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.safety.secrets import findings_in
from n8n_scraper.sources.n8n.item import (
    Agreement,
    Author,
    Explainer,
    Image,
    SecretFinding,
    Section,
    Template,
    Video,
)
from n8n_scraper.sources.n8n.pages.explainer import explain
from n8n_scraper.sources.n8n.rules.quality import (
    CONSISTENCY_WEIGHT,
    LAYERS,
    WEIGHTS,
    consistency_checks,
    score,
    verdicts,
)
from tests.unit.making import template

DOCS = Path(__file__).parents[5] / "docs"
NOTHING = {"same_id": None, "same_title": None, "same_workflow": None, "same_text": None}
EVERY_FIELD = ("title", "description", "author", "categories", "created_at", "views", "workflow",
               "node_count", "explainer", "agreement")  # fmt: skip


def empty() -> Template:
    bare = template()
    for field in EVERY_FIELD:
        setattr(bare, field, None)
    return bare


def with_nodes(*nodes: dict[str, Any], **connections: Any) -> Template:
    item = template()
    item.workflow = {"nodes": list(nodes), "connections": connections}
    return item


def node(name: str, kind: str = "n8n-nodes-base.set", **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "parameters": {"a": 1}, **more}


def to(*names: str) -> dict[str, Any]:
    return {"main": [[{"node": name, "type": "main", "index": 0} for name in names]]}


START = node("Start", "n8n-nodes-base.manualTrigger")


def codes(item: Template) -> list[str]:
    return [issue.code for issue in score(item).issues]


def test_a_good_template_without_a_video_or_a_picture_reaches_100() -> None:
    item = template()
    item.images, item.videos, item.notes = [], [], []

    quality = score(item)

    assert (quality.score, quality.grade, quality.issues) == (100.0, "Excellent", [])


def test_a_template_of_nothing_gets_nothing() -> None:
    quality = score(empty())

    assert (quality.score, quality.grade) == (0.0, "Poor")
    assert quality.layers == {"metadata": 0.0, "json": 0.0, "explainer": 0.0}
    assert quality.consistency == 0.0
    assert {issue.code for issue in quality.issues} >= {"no_title", "no_nodes", "no_text"}


def test_the_weights_are_those_that_were_asked_for() -> None:
    assert WEIGHTS == {"metadata": 0.20, "json": 0.30, "explainer": 0.40}
    assert CONSISTENCY_WEIGHT == 0.10


@pytest.mark.parametrize("layer", LAYERS)
def test_the_points_of_a_layer_add_up_to_100(layer: str) -> None:
    assert sum(rule.points for rule in LAYERS[layer]) == 100


@pytest.mark.parametrize("layer", LAYERS)
def test_every_layer_reaches_100_and_0(layer: str) -> None:
    assert score(template()).layers[layer] == 100.0
    assert score(empty()).layers[layer] == 0.0


@pytest.mark.parametrize("field", ["images", "videos"])
@pytest.mark.parametrize(("place", "points"), [("page", 40.0), ("description", 40.0), ("note", 0)])
def test_a_picture_or_a_video_alone_explains_something(
    field: str, place: str, points: float
) -> None:
    item = template()
    explained = explain(None, "")
    assert explained is not None
    item.explainer = explained.explainer
    shown: Image | Video = Image(url="https://a/b.png", alt=None, places=[place])
    if field == "videos":
        shown = Video(video_id="abc", host="youtube", url="https://x", places=[place])

    setattr(item, field, [shown])

    assert score(item).layers["explainer"] == points


def test_the_documentation_says_of_every_rule_when_it_holds() -> None:
    text = (DOCS / "explanation" / "quality.md").read_text(encoding="utf-8")

    rules = [rule for layer in LAYERS.values() for rule in layer]
    rows = [f"| `{rule.code}` | {rule.points:g} | {rule.holds} |" for rule in rules]
    assert [row for row in rows if row not in text] == []


def test_what_is_wanting_is_named_with_its_weight() -> None:
    quality = score(template(categories=[], user=None))

    assert quality.layers["metadata"] == 65.0
    assert quality.score == 100 - 0.2 * 35
    assert [(issue.layer, issue.code) for issue in quality.issues] == [
        ("metadata", "no_author"),
        ("metadata", "no_category"),
    ]


@pytest.mark.parametrize(
    ("item", "wanting", "details"),
    [
        pytest.param(
            with_nodes(START, node("A", parameters={}), Start=to("A", "Gone")),
            ["loose_ends"], "to 'Gone'", id="target not there",
        ),
        pytest.param(
            with_nodes(START, node("A"), Start=to("A"), Lost=to("A")),
            ["loose_ends"], "from 'Lost'", id="source not there",
        ),
        pytest.param(
            with_nodes(START, node("A"), node("A"), Start=to("A")),
            ["duplicate_names"], "'A'", id="one name for two",
        ),
        pytest.param(
            with_nodes(START, node("A"), node("B"), Start=to("A")),
            ["orphan_nodes"], "'B'", id="connected with nothing",
        ),
        pytest.param(
            with_nodes(node("A"), node("B"), A=to("B")),
            ["no_trigger"], "nothing starts it", id="no trigger",
        ),
        pytest.param(
            with_nodes(START, node("A", parameters=None), Start=to("A")),
            ["missing_parameters"], "'A'", id="no parameters",  # 7666
        ),
        pytest.param(
            with_nodes({**START, "parameters": {}}, node("A", parameters={}), Start=to("A")),
            ["empty_parameters"], "all are empty", id="stripped",
        ),
        pytest.param(
            with_nodes(START, node("A")),
            ["not_wired", "orphan_nodes"], "no connection", id="not wired",
        ),
        pytest.param(
            with_nodes(START, node("A"), {"parameters": {"a": 1}, "type": "x.y"}, Start=to("A")),
            ["nodes_without_name", "orphan_nodes"], "a node of type x.y", id="no name",
        ),
        pytest.param(
            with_nodes(START, node("A", ""), Start=to("A")),
            ["nodes_without_type"], "'A'", id="no type",
        ),
        pytest.param(
            with_nodes(START, *(node("A") for _ in range(2)), *(node(f"N{n}") for n in range(5)),
                       Start=to("A")),
            ["duplicate_names", "orphan_nodes"], "'A'", id="several things",
        ),
    ],
)  # fmt: skip
def test_a_fault_of_the_workflow_is_found_and_named(
    item: Template, wanting: list[str], details: str
) -> None:
    quality = score(item)

    assert [issue.code for issue in quality.issues] == wanting
    assert quality.issues[0].message.endswith(f": {details}")
    lost = sum(rule.points for rule in LAYERS["json"] if rule.code in wanting)
    assert quality.layers["json"] == 100 - lost


def test_many_offenders_are_named_in_short() -> None:
    orphans = [node(f"N{number}") for number in range(7)]

    quality = score(with_nodes(START, node("A"), *orphans, Start=to("A")))

    (issue,) = quality.issues
    assert issue.message.endswith(": 'N0', 'N1', 'N2' and 4 more")


def test_one_node_alone_is_whole() -> None:
    assert codes(with_nodes(START)) == []


def test_a_workflow_of_notes_alone_works_not_at_all() -> None:
    note = {"name": "Note", "type": "n8n-nodes-base.stickyNote", "parameters": {"content": "x"}}

    assert score(with_nodes(note)).layers["json"] == 0.0


def test_a_secret_is_named_by_kind_and_place() -> None:
    item = template()
    item.secrets = [SecretFinding(kind="OpenAI key", place="nodes[1].parameters.url", count=1)]

    (issue,) = score(item).issues

    assert (issue.code, issue.severity) == ("hard_coded_secrets", "critical")
    assert issue.message.endswith(": OpenAI key at nodes[1].parameters.url")


def test_an_e_mail_address_is_no_secret() -> None:
    item = template()
    item.secrets = findings_in({"to": "ada@acme.io"}, "nodes[1].parameters")

    assert [one.kind for one in item.secrets] == ["email"]
    assert codes(item) == []


@pytest.mark.parametrize(
    ("agreement", "consistency", "issues"),
    [
        ({"same_id": True}, 100.0, []),
        ({"same_id": True, "same_title": True, "same_text": True}, 100.0, []),
        ({"same_id": True, "same_title": False}, 50.0, ["same_title"]),
        ({"same_id": True, "same_title": True, "same_workflow": False}, 66.7, ["same_workflow"]),
        ({"same_id": False, "same_text": False}, 0.0, ["same_id", "same_text"]),
        ({}, 0.0, []),
    ],
)
def test_the_answers_are_compared(
    agreement: dict[str, bool], consistency: float, issues: list[str]
) -> None:
    item = template()
    item.agreement = Agreement(**{**NOTHING, **agreement})

    quality = score(item)

    assert quality.consistency == consistency
    assert codes(item) == issues
    assert set(consistency_checks(item)) == set(agreement)


@pytest.mark.parametrize(
    ("missing", "points", "grade"),
    [
        ((), 100.0, "Excellent"),
        (("author", "categories", "created_at"), 90.0, "Excellent"),
        (("author", "categories", "created_at", "views"), 88.0, "Good"),
        (("workflow",), 70.0, "Fair"),
        (("explainer",), 60.0, "Fair"),
        (("explainer", "views"), 58.0, "Poor"),
    ],
)
def test_the_grade_follows_the_score(missing: tuple[str, ...], points: float, grade: str) -> None:
    item = template()
    for field in missing:
        setattr(item, field, None)

    quality = score(item)

    assert (quality.score, quality.grade) == (points, grade)


def test_the_verdicts_add_up_to_the_points() -> None:
    item = template(categories=[])

    judged = verdicts(item)

    for layer, points in score(item).layers.items():
        assert sum(one.rule.points for one in judged[layer] if one.held) == points


WORDS = st.text(st.sampled_from("abc \n"), max_size=400)
SECTIONS = st.lists(st.builds(Section, heading=st.none() | WORDS, level=st.just(2), text=WORDS))
EXPLAINERS = st.builds(
    Explainer,
    markdown=st.none() | WORDS,
    text=WORDS,
    page_text=st.none() | WORDS,
    sections=SECTIONS,
    introduction=st.none() | WORDS,
    how_it_works=st.none() | WORDS,
    setup=st.none() | WORDS,
    requirements=st.none() | WORDS,
    customisation=st.none() | WORDS,
    steps=st.lists(WORDS, max_size=2),
    code_blocks=st.just([]),
    links=st.just([]),
)
ANSWERS = st.none() | st.booleans()
WORKFLOWS = st.integers(0, 6).flatmap(
    lambda size: st.fixed_dictionaries(
        {
            "nodes": st.just([START, *(node(f"N{number}") for number in range(size))]),
            "connections": st.just(
                {"Start": to(*(f"N{number}" for number in range(size)))} if size else {}
            ),
        }
    )
)


@st.composite
def templates(draw: st.DrawFn) -> Template:
    item = template()
    for field, values in (
        ("title", st.none() | st.just("Title")),
        ("description", st.none() | WORDS),
        ("author", st.none() | st.builds(Author, name=st.none() | st.just("Ada"))),
        ("categories", st.none() | st.lists(st.just("AI"), max_size=2)),
        ("created_at", st.none() | st.just("2026-01-01T00:00:00Z")),
        ("views", st.none() | st.integers(0, 9)),
        ("workflow", st.none() | WORKFLOWS),
        ("explainer", st.none() | EXPLAINERS),
        ("agreement", st.builds(Agreement, same_id=ANSWERS, same_title=ANSWERS,
                                same_workflow=ANSWERS, same_text=ANSWERS)),
    ):  # fmt: skip
        setattr(item, field, draw(values))
    return item


@given(templates())
def test_a_score_stays_within_its_bounds(item: Template) -> None:
    quality = score(item)

    parts = [quality.score, quality.consistency, *quality.layers.values()]
    assert all(0.0 <= part <= 100.0 for part in parts)
    assert quality.score == round(quality.score, 1)
    expected = sum(WEIGHTS[name] * points for name, points in quality.layers.items())
    assert abs(quality.score - expected - 0.1 * quality.consistency) < 0.06


def _filled(item: Template, field: str) -> None:
    """Put into a field what a whole template has there."""
    setattr(item, field, getattr(template(), field))


def _more_words(item: Template) -> None:
    if item.explainer:
        longer = f"{item.explainer.text} and it goes on with so many words more"
        item.explainer = item.explainer.model_copy(update={"text": longer})


def _more_structure(item: Template) -> None:
    if item.explainer:
        section = Section(heading="How it works", level=2, text="It asks.")
        item.explainer = item.explainer.model_copy(
            update={"sections": [*item.explainer.sections, section], "how_it_works": "It asks."}
        )


def _one_more_node(item: Template) -> None:
    if item.workflow:
        nodes = [*item.workflow["nodes"], node("One more", credentials={"slackApi": {"id": "1"}})]
        item.workflow = {"nodes": nodes, "connections": {**item.workflow["connections"],
                                                         "One more": to("Start")}}  # fmt: skip


def _one_more_note(item: Template) -> None:
    if item.workflow:
        note = {"type": "n8n-nodes-base.stickyNote", "parameters": {"content": "Hello"}}
        item.workflow = {**item.workflow, "nodes": [*item.workflow["nodes"], note]}


def _agreeing(check: str) -> Any:
    def agree(item: Template) -> None:
        if item.agreement and getattr(item.agreement, check) is None:
            item.agreement = item.agreement.model_copy(update={check: True})

    return agree


def _fill(field: str) -> Any:
    return lambda item: _filled(item, field) if not getattr(item, field) else None


ADDITIONS = [
    *map(_fill, ("title", "description", "author", "categories", "created_at", "views", "workflow",
                 "explainer", "images", "videos", "notes", "credential_types")),
    *map(_agreeing, NOTHING),
    _more_words, _more_structure, _one_more_node, _one_more_note,
]  # fmt: skip


@given(templates(), st.sampled_from(ADDITIONS))
def test_adding_what_is_true_never_lowers_a_score(item: Template, add: Any) -> None:
    before = score(item)

    add(item)

    after = score(item)
    assert after.score >= before.score
    assert after.consistency >= before.consistency
    assert all(after.layers[name] >= points for name, points in before.layers.items())

"""Score a template: pure rules, each with the words that explain what it found wanting.

score = 0.20·metadata + 0.30·json + 0.40·explainer + 0.10·consistency, each from 0 to 100.
Every layer can reach 100 and 0, nothing that a good template may lack (a video, a picture) costs a
point, and no true thing that is added ever does. See docs/explanation/quality.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.sources.n8n.item import Agreement, Issue, Quality, Template
from n8n_scraper.sources.n8n.pages import reading
from n8n_scraper.sources.n8n.pages import workflow as facts
from n8n_scraper.sources.n8n.parts import Layer

WEIGHTS = {"metadata": 0.20, "json": 0.30, "explainer": 0.40}
CONSISTENCY_WEIGHT = 0.10
GRADES = ((90.0, "Excellent"), (75.0, "Good"), (60.0, "Fair"), (0.0, "Poor"))

_ENOUGH_WORDS = 40
_MOST_NAMED = 3
# What a detector of secrets also reports although it opens no door.
_NO_SECRETS = ("email",)

# The places where a picture or a video is part of the explanation.
_IN_DESCRIPTION = {"description", "page"}


class Judged:
    """A template, and what several rules ask about its workflow, found out once."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self._workflow = template.workflow or {}

    @cached_property
    def working(self) -> list[dict[str, Any]]:
        """The nodes that do something."""
        return facts.working_nodes(self._workflow)

    @cached_property
    def wires(self) -> list[facts.Edge]:
        """The connections, one by one."""
        return facts.edges(self._workflow)

    @cached_property
    def names(self) -> set[str | None]:
        """What the nodes are called, notes included."""
        return {reading.text(node.get("name")) for node in facts.nodes(self._workflow)} - {None}


Check = Callable[[Judged], str | None]
"""Gives None where a rule holds, else the details of why not; they may be empty."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that is good to have: its points, and what is said where it is there or not."""

    code: str
    points: float
    severity: str
    message: str
    holds: str
    check: Check


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a rule held for one template, and if not, why."""

    rule: Rule
    details: str | None

    @property
    def held(self) -> bool:
        """Whether the template gets the points."""
        return self.details is None

    @property
    def message(self) -> str:
        """What is wanting, with its details."""
        return f"{self.rule.message}: {self.details}" if self.details else self.rule.message


def _needs(test: Callable[[Template], object]) -> Check:
    return lambda judged: None if test(judged.template) else ""


def _has(field: str) -> Check:
    return _needs(lambda template: getattr(template, field))


def _has_words(text: str, enough: int) -> bool:
    """Whether a text has so many words; the others are not parted."""
    return len(text.split(maxsplit=enough)) >= enough


def _explains(test: Callable[[Any], object]) -> Check:
    return _needs(lambda template: template.explainer and test(template.explainer))


def _of_nodes(find: Callable[[Judged, list[dict[str, Any]]], Iterable[str]]) -> Check:
    """A rule about the working nodes: it holds for none where there are none."""

    def check(judged: Judged) -> str | None:
        if not judged.working:
            return "there is no node"
        offenders = list(dict.fromkeys(find(judged, judged.working)))
        return _listed(offenders) if offenders else None

    return check


def _listed(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _name(node: dict[str, Any]) -> str:
    name, kind = node.get("name"), node.get("type")
    return _quoted(name) if isinstance(name, str) and name else f"a node of type {_said(kind)}"


def _quoted(name: str | None) -> str:
    return repr(name and reading.shortened(name))


def _said(value: object) -> str:
    return reading.shortened(str(value))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _without_text(key: str) -> Check:
    return _of_nodes(
        lambda _, nodes: (_name(node) for node in nodes if not _is_text(node.get(key)))
    )


def _duplicate_names(_: Judged, nodes: list[dict[str, Any]]) -> Iterable[str]:
    counted = Counter(node["name"] for node in nodes if _is_text(node.get("name")))
    return (_quoted(name) for name, times in counted.items() if times > 1)


def _unwired(judged: Judged, nodes: list[dict[str, Any]]) -> Iterable[str]:
    return [] if len(nodes) < 2 or judged.wires else ["no connection"]


def _loose_ends(judged: Judged, _: list[dict[str, Any]]) -> Iterable[str]:
    for edge in judged.wires:
        if edge.source not in judged.names:
            yield f"from {_quoted(edge.source)}"
        if edge.target not in judged.names:
            yield f"to {_quoted(edge.target)}"


def _orphans(judged: Judged, nodes: list[dict[str, Any]]) -> Iterable[str]:
    wired = {edge.source for edge in judged.wires} | {edge.target for edge in judged.wires}
    alone = len(nodes) < 2
    return (
        _name(node) for node in nodes if not alone and reading.text(node.get("name")) not in wired
    )


def _no_trigger(_: Judged, nodes: list[dict[str, Any]]) -> Iterable[str]:
    kinds = (node.get("type") for node in nodes)
    starts = any(isinstance(kind, str) and facts.is_trigger(kind) for kind in kinds)
    return [] if starts else ["nothing starts it"]


def _without_parameters(_: Judged, nodes: list[dict[str, Any]]) -> Iterable[str]:
    return (_name(node) for node in nodes if not isinstance(node.get("parameters"), dict))


def _unconfigured(_: Judged, nodes: list[dict[str, Any]]) -> Iterable[str]:
    return [] if any(node.get("parameters") for node in nodes) else ["all are empty"]


def _hard_coded_secrets(judged: Judged, _: list[dict[str, Any]]) -> Iterable[str]:
    """Kinds and places, never values; where nobody has looked, none was found."""
    findings = (one for one in judged.template.secrets or [] if one.kind not in _NO_SECRETS)
    return (f"{one.kind} at {one.place}" for one in findings)


def _is_explained(template: Template) -> bool:
    """Whether the description says or shows anything: some templates explain by a picture alone."""
    shown = (*(template.images or ()), *(template.videos or ()))
    return template.explainer is not None and (
        bool(template.explainer.text) or any(_IN_DESCRIPTION & {*one.places} for one in shown)
    )


LAYERS: dict[str, Sequence[Rule]] = {
    "metadata": (
        Rule("no_title", 20, "critical", "the template has no title",
             "the template has a title", _has("title")),
        Rule("no_description", 20, "critical", "there is no description",
             "the template has a description", _has("description")),
        Rule("no_author", 20, "warning", "no author is named",
             "the author has a name",
             _needs(lambda template: template.author and template.author.name)),
        Rule("no_category", 15, "warning", "it is in no category",
             "the template is in a category", _has("categories")),
        Rule("no_date", 15, "warning", "no date of creation is given",
             "the day of creation is given", _has("created_at")),
        Rule("no_views", 10, "info", "no number of views is given",
             "the views are given, be they 0",
             _needs(lambda template: template.views is not None)),
    ),
    "json": (
        Rule("no_nodes", 30, "critical", "the workflow has no node that works",
             "there is a node",
             _of_nodes(lambda _, __: ())),
        Rule("nodes_without_name", 10, "critical", "some nodes have no name",
             "every node has a name",
             _without_text("name")),
        Rule("nodes_without_type", 10, "critical", "some nodes have no type",
             "every node has a type",
             _without_text("type")),
        Rule("not_wired", 10, "warning", "several nodes, and nothing between them",
             "several nodes have a connection among them",
             _of_nodes(_unwired)),
        Rule("loose_ends", 10, "critical", "a connection leads from or to no node",
             "every connection leads from a node to a node",
             _of_nodes(_loose_ends)),
        Rule("duplicate_names", 5, "warning", "several nodes have one name",
             "no two nodes have one name, which connections could not tell apart",
             _of_nodes(_duplicate_names)),
        Rule("orphan_nodes", 5, "info", "some nodes are connected with nothing",
             "every one of several nodes is connected with something",
             _of_nodes(_orphans)),
        Rule("no_trigger", 5, "info", "the workflow has no trigger",
             "something starts it", _of_nodes(_no_trigger)),
        Rule("missing_parameters", 5, "critical", "some nodes have no parameters",
             "every node has its object of parameters, be it empty",
             _of_nodes(_without_parameters)),
        Rule("empty_parameters", 5, "critical", "no node has any parameter",
             "some node is configured; the site has served workflows stripped of all that",
             _of_nodes(_unconfigured)),
        Rule("hard_coded_secrets", 5, "critical", "secrets stand in the workflow",
             "no secret was found in it; an e-mail address is none",
             _of_nodes(_hard_coded_secrets)),
    ),
    "explainer": (
        Rule("no_text", 40, "critical", "nothing is explained",
             "something is explained, in words, by a picture or by a video",
             _needs(_is_explained)),
        Rule("short_text", 30, "warning", "the explanation is shorter than 40 words",
             "the explanation has 40 words or more",
             _explains(lambda explainer: _has_words(explainer.text, _ENOUGH_WORDS))),
        Rule("no_structure", 15, "info", "the explanation has no headings and no steps",
             "it has headings, marked or not, or numbered steps",
             _explains(lambda explainer: explainer.steps or any(
                 section.heading for section in explainer.sections))),
        Rule("no_guidance", 15, "info", "neither how it works nor how it is set up is told",
             "how it works, how it is set up, what it needs or how it can be changed is told",
             _explains(lambda explainer: explainer.how_it_works or explainer.setup
                       or explainer.steps or explainer.requirements or explainer.customisation)),
    ),
}  # fmt: skip

_CONTRADICTIONS = {
    "same_id": ("critical", "an answer spoke of another template"),
    "same_title": ("warning", "the answers give different titles"),
    "same_workflow": ("warning", "the answers give different workflows"),
    "same_text": ("warning", "the page's text is not that of the description"),
}


def score(template: Template) -> Quality:
    """Judge a template by the rules."""
    judged = verdicts(template)
    layers = {
        name: float(sum(one.rule.points for one in judged[name] if one.held)) for name in LAYERS
    }
    consistency = _consistency(template)
    total = sum(WEIGHTS[name] * points for name, points in layers.items())
    total = round(total + CONSISTENCY_WEIGHT * consistency, 1)
    return Quality(
        score=total,
        grade=next(grade for least, grade in GRADES if total >= least),
        layers=layers,
        consistency=round(consistency, 1),
        issues=[*_issues(judged), *_contradictions(template), *_left_undone(template)],
    )


def verdicts(template: Template) -> dict[str, list[Verdict]]:
    """Say of every rule of every layer whether it holds."""
    judged = Judged(template)
    return {
        name: [Verdict(rule, rule.check(judged)) for rule in rules]
        for name, rules in LAYERS.items()
    }


def consistency_checks(template: Template) -> dict[str, bool]:
    """What two answers say of the same thing, and whether it is the same; see `items.Agreement`."""
    compared = (template.agreement or _NOTHING_COMPARED).model_dump()
    return {code: agrees for code, agrees in compared.items() if agrees is not None}


_NOTHING_COMPARED = Agreement(same_id=None, same_title=None, same_workflow=None, same_text=None)


def _consistency(template: Template) -> float:
    checks = consistency_checks(template)
    return 100.0 * sum(checks.values()) / len(checks) if checks else 0.0


def _issues(judged: dict[str, list[Verdict]]) -> list[Issue]:
    return [
        Issue(layer=name, code=one.rule.code, severity=one.rule.severity, message=one.message)
        for name, verdicts_of_layer in judged.items()
        for one in verdicts_of_layer
        if not one.held
    ]


def _contradictions(template: Template) -> list[Issue]:
    return [
        Issue(
            layer="consistency",
            code=code,
            severity=_CONTRADICTIONS[code][0],
            message=_CONTRADICTIONS[code][1],
        )
        for code, agrees in consistency_checks(template).items()
        if not agrees
    ]


def _left_undone(template: Template) -> Iterator[Issue]:
    """What was too much to be looked at; it costs no points."""
    if any(note.about == "nodes" and not note.nodes for note in template.notes or ()):
        yield Issue(
            layer="json",
            code="notes_not_listed",
            severity="info",
            message="the notes lie over too many nodes: some of them list none",
        )
    if _both_texts_came(template) and template.agreement and template.agreement.same_text is None:
        yield Issue(
            layer="consistency",
            code="not_compared",
            severity="info",
            message="not compared: page and description are too long and too different",
        )


def _both_texts_came(template: Template) -> bool:
    """Whether page and description were both read this time: kept ones are not compared again."""
    explainer, layers = template.explainer, (Layer.METADATA, Layer.EXPLAINER)
    both = explainer is not None and None not in (explainer.markdown, explainer.page_text)
    return both and all(template.layers[layer].status is PartStatus.OK for layer in layers)

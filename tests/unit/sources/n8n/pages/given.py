"""Small answers to begin with, and strategies for the hostile ones."""

import json
from typing import Any

from hypothesis import strategies as st

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.item import PartStatus
from n8n_scraper.core.source import Provenance
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.pages.template import assemble
from n8n_scraper.sources.n8n.parts import Layer

NODE: dict[str, Any] = {"name": "Set", "type": "n8n-nodes-base.set", "position": [0, 0]}
WORKFLOW: dict[str, Any] = {"nodes": [NODE], "connections": {}}
DETAIL: dict[str, Any] = {
    "id": 1954,
    "name": "AI agent chat",
    "views": 7,
    "recentViews": 3,
    "totalViews": 7,
    "createdAt": "2023-10-03T14:49:21.377Z",
    "description": "Chat with **an agent**.",
    "workflow": WORKFLOW,
    "lastUpdatedBy": 29,
    "workflowInfo": {"nodeCount": 1, "nodeTypes": {}},
    "status": "published",
    "user": {"name": "n8n Team", "username": "n8n-team", "bio": None, "verified": True},
    "nodes": [],
    "categories": [{"id": 5, "name": "Engineering"}],
    "image": [],
}


def encoded(value: object) -> bytes:
    return json.dumps(value).encode()


def detail(**changes: object) -> bytes:
    """A metadata answer, changed here and there."""
    return encoded({"workflow": {**DETAIL, **changes}})


def detail_without(*keys: str) -> bytes:
    return encoded({"workflow": {key: DETAIL[key] for key in DETAIL if key not in keys}})


def html_page(
    description: str = "<p>Chat with an agent.</p>",
    *,
    title: str = "AI agent chat",
    address: str = "https://n8n.io/workflows/1954-ai-agent-chat/",
    above: str = "",
    below: str = "",
) -> bytes:
    """A page of the site, with something more above or below its description."""
    return (
        f"<!DOCTYPE html><html><head><title>{title} | n8n workflow template</title>"
        f'<link rel="canonical" href="{address}"></head><body><main><h1>{title}</h1>{above}'
        f'<div class="workflow-description"><div class="content-styles">{description}</div></div>'
        f"{below}</main></body></html>"
    ).encode()


def assembled(dossier: Dossier) -> Template:
    """The template of a dossier; layers that nobody settled were not asked for."""
    for layer in Layer:
        if layer not in dossier.parts:
            was_read = dossier.read.get(layer) is not None
            status = PartStatus.OK if was_read else PartStatus.SKIPPED
            dossier.settle(layer, status, None if was_read else "not asked for")
    return assemble(dossier, Provenance("https://n8n.io", "run", "2026-10-01T00:00:00Z", 0.5))


def dossier_of(**parts: Any) -> Dossier:
    """A dossier of template 1954 with the given answers in it."""
    planned = parts.pop("planned", Planned("1954", listing={"slug": "ai-agent-chat"}))
    names = {"metadata": Layer.METADATA, "workflow_json": Layer.JSON, "page": Layer.EXPLAINER}
    read = {names[name]: parts.pop(name) for name in names.keys() & parts.keys()}
    return Dossier(planned, started=0.0, read=read, **parts)


_TEXTS = st.text(st.characters(), max_size=12) | st.sampled_from(
    [
        "\x00",
        "\ud800",
        "https://[",
        "https://example.com/a.png",
        "[" * 2_000,
        "2026-01-01T",
        "tenletters" + "T",
        "n8n-nodes-base.stickyNote",
        "![a](fileId:%s)" % ("9" * 5_000),
        "1. one\n2. two\n\n# Setup\n[x](y) ![z](fileId:3)",
        "https://youtu.be/abcdefghijk",
        "1954",
    ]
)
_NUMBERS = st.integers() | st.floats() | st.sampled_from([10**400, -(2**63), 2**63, 1954])
# The names that the site uses, so that a value of the wrong kind stands where one is expected.
_KEYS = (
    st.sampled_from(
        [
            *DETAIL,
            *DETAIL["user"],
            *WORKFLOW,
            *NODE,
            "avatar",
            "color",
            "content",
            "credentials",
            "height",
            "index",
            "links",
            "main",
            "node",
            "parameters",
            "price",
            "purchaseUrl",
            "totalWorkflows",
            "url",
            "width",
            "workflows",
        ]
    )
    | _TEXTS
)
JSON_LIKE = st.recursive(
    st.none() | st.booleans() | _NUMBERS | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=25,
)
OBJECTS = st.dictionaries(_KEYS, JSON_LIKE, max_size=6)


def _object_with(**parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """An object with some of these parts, each right or of any kind at all."""
    return st.fixed_dictionaries({}, optional={key: parts[key] | JSON_LIKE for key in parts})


_NODES = _object_with(
    name=st.sampled_from(["A", "B", "C"]),
    type=st.sampled_from(["n8n-nodes-base.stickyNote", "n8n-nodes-base.set", "x.yTrigger"]),
    position=st.lists(_NUMBERS, max_size=3),
    parameters=_object_with(content=_TEXTS, width=_NUMBERS, height=_NUMBERS, color=_NUMBERS),
    credentials=OBJECTS,
)
_TARGETS = _object_with(node=st.sampled_from(["A", "B", "C"]), type=st.just("main"), index=_NUMBERS)
_SLOTS = st.lists(st.none() | _TARGETS | st.lists(_TARGETS, max_size=2), max_size=3)
WORKFLOWS = _object_with(
    nodes=st.lists(_NODES, max_size=5),
    connections=st.dictionaries(
        st.sampled_from(["A", "B", "gone"]),
        _SLOTS | st.dictionaries(st.sampled_from(["main", "ai_tool"]), _SLOTS, max_size=2),
        max_size=3,
    ),
)
DETAILS = _object_with(
    name=_TEXTS,
    description=_TEXTS,
    createdAt=_TEXTS,
    totalViews=_NUMBERS,
    recentViews=_NUMBERS,
    price=_NUMBERS,
    purchaseUrl=_TEXTS,
    user=_object_with(name=_TEXTS, verified=st.booleans(), links=_TEXTS, avatar=_TEXTS),
    categories=st.lists(_object_with(id=_NUMBERS, name=_TEXTS), max_size=3),
    image=st.lists(_object_with(id=_NUMBERS, url=_TEXTS), max_size=3),
    workflow=WORKFLOWS,
)

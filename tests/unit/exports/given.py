"""Templates with anything in them, made from the contract's types: new fields come along."""

from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from hypothesis import strategies as st
from pydantic import BaseModel

from n8n_scraper.core.item import Outcome, PartState, PartStatus
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.parts import Layer

NASTY_TITLES = [
    '=HYPERLINK("http://evil.example","x")',
    "+1+1",
    "-2",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " \"'=cmd|'/C calc'!A0",
    "＝1+1",
    'two\nlines, a comma and "quotes"',
    "🚀🔥🤖",
    "‮أتمتة سير العمل‬ مرحبا",
    "x" * 300,
    "<script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "---",
    "| a | b |",
]

texts = st.one_of(
    st.sampled_from([title for title in NASTY_TITLES if len(title) < 100]),
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=20),
)
numbers = st.integers(-(2**63), 2**63 - 1)
floats = st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | numbers | st.just(2**70) | floats | texts
free_json = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)
)
_BOUNDED = {int: st.integers(1, 2**62), float: st.floats(0, 1)}
_PLAIN = {str: texts, int: st.integers(0, 2**63 - 1), float: floats, bool: st.booleans()}


def anything(annotation: Any) -> st.SearchStrategy[Any]:
    """Give any value of a type."""
    kind, arguments = get_origin(annotation) or annotation, get_args(annotation)
    if kind is Annotated:
        return anything(arguments[0])
    if kind in (Union, UnionType):
        return st.one_of([anything(one) for one in arguments])
    if kind is Literal:
        return st.sampled_from(arguments)
    if kind is list:
        return st.lists(anything(arguments[0]), max_size=3)
    if kind is dict:
        return st.dictionaries(anything(arguments[0]), anything(arguments[1]), max_size=3)
    if kind is NoneType:
        return st.none()
    if kind is Any:
        return free_json
    if issubclass(kind, BaseModel):
        return model(kind)
    return st.sampled_from(kind) if issubclass(kind, Enum) else _PLAIN[kind]


@st.composite
def model(draw: st.DrawFn, kind: type[BaseModel]) -> Any:
    """Give any value of a model."""
    values = {name: draw(_within(name, field)) for name, field in kind.model_fields.items()}
    return kind(**values)


# What these promise beyond their type.
_PROMISED = {
    "workflow_id": st.integers(1, 10**9).map(str),
    "created_at": st.none() | st.just("2026-01-02T03:04:05.678Z"),
    "views": st.none() | st.integers(0, 2**62),
    "recent_views": st.none() | st.integers(0, 2**62),
}


def _within(name: str, field: Any) -> st.SearchStrategy[Any]:
    if name in _PROMISED:
        return _PROMISED[name]
    # Where else a field has bounds, they are "not negative", "at least one" or "at most one".
    if field.metadata and field.annotation in _BOUNDED:
        return _BOUNDED[field.annotation]
    return anything(field.annotation)


anyhow = model(Template)


def template(workflow_id: str = "7", **fields: Any) -> Template:
    """Give a template in which nothing is observed but what is said here."""
    given: dict[str, Any] = {
        "workflow_id": workflow_id,
        "url": f"https://n8n.io/workflows/{workflow_id}-a-slug/",
        "outcome": Outcome.COMPLETE,
        "layers": {layer: PartState(status=PartStatus.OK) for layer in Layer},
        "in_inventory": True,
        "run_id": "run",
        "scraped_at": "2026-01-01T00:00:00.000Z",
        "processing_time": 0.5,
    }
    return Template(**(given | fields))


def filled(kind: Any = Template, **said: Any) -> Any:
    """Give a model in which every field has a value, also inside its parts."""
    return kind(**({name: _some(field) for name, field in _fields(kind)} | said))


def hollow(kind: Any = Template, **said: Any) -> Any:
    """Give a model that has all its parts, and in which whatever else may be null is null."""
    given = {name: _some(field, may_lack=True) for name, field in _fields(kind)}
    return kind(**(given | said))


def _fields(kind: type[BaseModel]) -> list[tuple[str, Any]]:
    return [(name, field.annotation) for name, field in kind.model_fields.items()]


def _some(annotation: Any, *, may_lack: bool = False) -> Any:
    kind, arguments = get_origin(annotation) or annotation, get_args(annotation)
    if kind is Annotated:
        return _some(arguments[0], may_lack=may_lack)
    if kind in (Union, UnionType):
        value = _some(arguments[0], may_lack=may_lack)
        return value if isinstance(value, BaseModel | list | dict) or not may_lack else None
    if kind is list:
        return [_some(arguments[0], may_lack=may_lack)]
    if kind is dict:
        return {_some(arguments[0]): _some(arguments[1], may_lack=may_lack)}
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return hollow(kind) if may_lack else filled(kind)
    return _VALUES[kind] if kind in _VALUES else next(iter(arguments or kind))


_VALUES = {
    str: "2026-01-02T03:04:05.678Z",  # a text that fits everywhere, also as a date
    int: 7,
    float: 0.25,
    bool: True,
    Any: {"zeta": [1, 2.5, None, "ü 🚀"], "alpha": {"": False}},
}

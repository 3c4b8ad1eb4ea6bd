"""Read as much of PromQL as our rules and panels use: its structure, and what it names."""

import re
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<text>"(?:[^"\\]|\\.)*")
    | (?P<span>\[(?:[0-9]+[smhd]|\$__rate_interval)\])
    | (?P<number>[0-9]+(?:\.[0-9]+)?)
    | (?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*)
    | (?P<sign>==|!=|=~|!~|>=|<=|[-+*/%^<>=(){},])
    )""",
    re.VERBOSE,
)
FUNCTIONS = {"rate", "time", "avg_over_time", "stddev_over_time", "sort"}
AGGREGATIONS = {"sum", "max", "min", "avg", "count", "bottomk", "topk"}
WITH_LABELS = {"by", "without", "on", "ignoring", "group_left", "group_right"}
BETWEEN = {"and", "or", "unless"}
_CLOSES = {"(": ")", "{": "}"}


class NotPromQL(Exception):
    """The expression is not whole; its text says where."""


@dataclass
class Named:
    """What an expression names."""

    metrics: dict[str, set[str]] = field(default_factory=dict)
    """Each with the labels that its selectors look at."""
    labels: set[str] = field(default_factory=set)
    """What it groups or matches by."""


def tokens_of(expression: str) -> list[tuple[str, str]]:
    found, at, expression = [], 0, expression.strip()
    while at < len(expression):
        token = _TOKEN.match(expression, at)
        if token is None:
            raise NotPromQL(f"{expression[at:]!r} of {expression!r}")
        found.append((str(token.lastgroup), str(token[token.lastgroup or 0])))
        at = token.end()
    return found


def named_in(expression: str) -> Named:
    """Say what an expression names; raise NotPromQL where it is not whole."""
    tokens = tokens_of(expression)
    _is_balanced(tokens, expression)
    named, at = Named(), 0
    while at < len(tokens):
        kind, word = tokens[at]
        following = tokens[at + 1][1] if at + 1 < len(tokens) else ""
        if kind != "name" or word in BETWEEN:
            at += 1
        elif word in WITH_LABELS:
            listed = _inside(tokens, at + 1, expression) if following == "(" else []
            named.labels |= {text for group, text in listed if group == "name"}
            at += len(listed) + 3 if following == "(" else 1
        elif word in FUNCTIONS | AGGREGATIONS:
            if following != "(" and following not in WITH_LABELS:
                raise NotPromQL(f"{word} of nothing in {expression!r}")
            at += 1
        else:
            looked_at = named.metrics.setdefault(word, set())
            inside = _inside(tokens, at + 1, expression) if following == "{" else []
            looked_at |= _labels(inside, expression)
            at += len(inside) + 3 if following == "{" else 1
    if not named.metrics:
        raise NotPromQL(f"no metric in {expression!r}")
    return named


def _labels(inside: list[tuple[str, str]], expression: str) -> set[str]:
    """Read `label="value", …`."""
    found = set()
    for place in range(0, len(inside), 4):
        kinds = [kind for kind, _ in inside[place : place + 4]]
        if kinds[:3] != ["name", "sign", "text"] or inside[place + 1][1] not in ("=", "=~", "!="):
            raise NotPromQL(f"a selector of {expression!r}")
        found.add(inside[place][1])
    return found


def _inside(tokens: list[tuple[str, str]], at: int, expression: str) -> list[tuple[str, str]]:
    """Give what stands between the bracket at this place and the one that closes it."""
    closing = _CLOSES[tokens[at][1]]
    for end in range(at + 1, len(tokens)):
        if tokens[end] == ("sign", closing):
            return tokens[at + 1 : end]
    raise NotPromQL(f"an open bracket in {expression!r}")


def _is_balanced(tokens: list[tuple[str, str]], expression: str) -> None:
    waiting: list[str] = []
    for kind, word in tokens:
        if kind == "sign" and word in _CLOSES:
            waiting.append(_CLOSES[word])
        elif kind == "sign" and word in _CLOSES.values() and (not waiting or waiting.pop() != word):
            raise NotPromQL(f"a bracket too many in {expression!r}")
    if waiting:
        raise NotPromQL(f"an open bracket in {expression!r}")

"""What the type of a field says, without what only says how its value is checked."""

from __future__ import annotations

from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin


def bare(annotation: Any) -> Any:
    """Take away what only says how a value is checked, and that it may be null."""
    while True:
        if get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
            continue
        if get_origin(annotation) not in (Union, UnionType):
            return annotation
        rest = [one for one in get_args(annotation) if one is not NoneType]
        if len(rest) != 1:
            return annotation
        annotation = rest[0]


def is_text(kind: Any) -> bool:
    """Whether the values of a bare type are texts: words of a list of them included."""
    if get_origin(kind) is Literal:
        return all(isinstance(one, str) for one in get_args(kind))
    return isinstance(kind, type) and issubclass(kind, str | StrEnum)

"""Read one setting as what it stands for; what cannot be read costs one line with what to write.

A setting that a project's file does not have holds what ours has: settings.py is the only place of
a default, and the class of a component the only one that types and checks what it reads.
"""

from __future__ import annotations

import json
import math
import sys
from abc import abstractmethod
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar, NoReturn, Self, TypeAlias, TypeVar
from urllib.parse import urlsplit

from n8n_scraper.core.errors import BadInput

Given: TypeAlias = Mapping[str, Any]
"""Settings as Scrapy gives them, or as a run has kept them."""

Choice = TypeVar("Choice", bound=StrEnum)


class TypedSettings:
    """What a component is told, read and typed; its heirs are frozen values."""

    __slots__ = ()
    KEPT: ClassVar[tuple[str, ...]] = ()
    """The settings that shape what a run brings or how fast; they are kept with it."""

    @classmethod
    @abstractmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read them, or raise BadInput for the first that makes no sense."""

    def check(self) -> None:
        """Raise BadInput where what they name is not there to be worked with."""


_SWITCHES = {"1": True, "true": True, "0": False, "false": False}


def value(settings: Given, name: str) -> Any:
    """Give a setting as it stands."""
    # Not at the top: these settings name the sources, and a source reads where it is.
    from n8n_scraper import settings as project

    given = settings.get(name)
    return getattr(project, name, None) if given is None else given


def text(settings: Given, name: str) -> str:
    """Read a text; none is an empty one."""
    given = value(settings, name)
    return "" if given is None else str(given)


def number(settings: Given, name: str, what: str, *, most: float = sys.float_info.max) -> float:
    """Read a number from 0 on."""
    given = _as_float(value(settings, name))
    return given if 0 <= given <= most else refuse(settings, name, what)


def seconds(settings: Given, name: str, *, most: float = sys.float_info.max) -> float:
    """Read a time."""
    return number(settings, name, "a number of seconds, 0 or more", most=most)


def share(settings: Given, name: str) -> float:
    """Read a part of a whole."""
    return number(settings, name, "a share from 0 to 1, as in 0.1", most=1)


def whole(settings: Given, name: str, *, least: int = 1) -> int:
    """Read a whole number."""
    what = f"a whole number from {least} on"
    try:
        given = int(value(settings, name))
    except (ValueError, TypeError, OverflowError):
        refuse(settings, name, what)
    return given if given >= least else refuse(settings, name, what)


def switch(settings: Given, name: str) -> bool:
    """Read what is on or off."""
    given = value(settings, name)
    if isinstance(given, int | float):
        return bool(given)
    known = _SWITCHES.get(str(given).lower())
    return refuse(settings, name, "True or False") if known is None else known


def choice(settings: Given, name: str, kind: type[Choice]) -> Choice:
    """Read one of a few words."""
    try:
        return kind(value(settings, name))
    except ValueError:
        *words, last = map(str, kind)
        refuse(settings, name, f"{', '.join(words)} or {last}")


def listed(settings: Given, name: str) -> list[str]:
    """Read words with commas between them."""
    given = value(settings, name) or []
    words = given.split(",") if isinstance(given, str) else map(str, given)
    return [word.strip() for word in words if word.strip()]


def table(settings: Given, name: str) -> dict[str, Any]:
    """Read a JSON object."""
    given = value(settings, name) or {}
    try:
        return dict(json.loads(given) if isinstance(given, str) else given)
    except (ValueError, TypeError):
        refuse(settings, name, "a JSON object, as in {}")


def address(settings: Given, name: str) -> str:
    """Read where a site stands: a base that paths are put behind."""
    given = text(settings, name)
    try:
        parts = urlsplit(given)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        fits = False
    return (
        given.rstrip("/")
        if fits
        else refuse(settings, name, "an address such as https://site.example")
    )


def refuse(settings: Given, name: str, what: str) -> NoReturn:
    """Say what to write in the place of a value that makes no sense."""
    raise BadInput(f"{name} is {value(settings, name)!r}; write {what}.")


def _as_float(given: object) -> float:
    try:
        return float(given)  # type: ignore[arg-type]
    except (ValueError, TypeError, OverflowError):
        return math.nan

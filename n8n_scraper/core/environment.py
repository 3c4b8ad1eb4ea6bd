"""Where the value of a setting comes from: the environment, or the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings, default_settings

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.old_names import OLD_NAMES, names_of
from n8n_scraper.core.spelling import misspelt, mistyped

defaults: dict[str, str] = {}
"""The variables that settings have been read from, each with what holds where it is unset."""

_SHARED = {"LOG_LEVEL", "USER_AGENT"}
"""Variables that other programs read as well, perhaps under a name that is much the same."""


def setting(name: str, default: str) -> str:
    """The variable's text, or the default where it is unset or empty."""
    defaults[name] = default
    return _given(name, os.environ) or default


def given_by_hand(settings: BaseSettings) -> dict[str, Any]:
    """The settings of the command line: `-s`, and what `-o`, `-O` and its like stand for."""
    by_hand = SETTINGS_PRIORITIES["cmdline"]
    names = (str(name) for name in settings if settings.getpriority(name) == by_hand)
    return {name: settings[name] for name in names if OLD_NAMES.get(name) not in settings}


def database_by_hand(settings: BaseSettings) -> str | None:
    """The database that the command line names; one of the environment is there for the next."""
    url = given_by_hand(settings).get("DATABASE_URL")
    return None if url is None else str(url)


def take_old_names(
    settings: BaseSettings, environment: Mapping[str, str] = os.environ
) -> list[str]:
    """Give settings the values that their old names have, and a line for each old name.

    Doing so twice changes nothing. Raise BadInput where both names are given at the same place,
    with different values; of two places one comes before the other, whichever name it uses.
    """
    said = []
    for old, new in OLD_NAMES.items():
        if environment.get(old):
            _check_same(old, new, environment[old], environment.get(new) or None)
        if settings.get(old) is not None:
            _take(settings, old, new, environment)
        elif not environment.get(old):
            continue
        said.append(f"{old} is called {new} by now.")
    return said


def _take(settings: BaseSettings, old: str, new: str, environment: Mapping[str, str]) -> None:
    priority = settings.getpriority(old) or 0
    is_ours = settings.get(new) == (_given(new, environment) or defaults.get(new))
    if settings.getpriority(new) == priority and not is_ours:
        _check_same(old, new, settings[old], settings[new])
    settings.set(new, settings[old], priority)


def _check_same(old: str, new: str, one: Any, other: Any) -> None:
    # The values stay unsaid: an address may hold a password.
    if other is not None and str(one) != str(other):
        raise BadInput(
            f"{old} is called {new} by now, and both are given, with different values: "
            f"leave {old} out."
        )


def _given(name: str, environment: Mapping[str, str]) -> str:
    return next(filter(None, map(environment.get, names_of(name))), "")


def check_names(
    settings: BaseSettings,
    project: ModuleType,
    environment: Mapping[str, str] = os.environ,
    further: Iterable[str] = (),
) -> None:
    """Raise BadInput for a name that looks like a slip: it would be ignored in silence.

    What resembles nothing may be the setting of a library or of another spider, and passes;
    `further` names what is known besides ours and Scrapy's. The environment is shared with other
    programs: there only one wrong letter is a slip, of a name that is not set itself.
    """
    ours = [name for name in dir(project) if name.isupper()]
    known = {*ours, *OLD_NAMES, *filter(str.isupper, dir(default_settings)), *further}
    for name in given_by_hand(settings):
        if meant := misspelt(name, known):
            meant = OLD_NAMES.get(meant, meant)
            raise BadInput(f"-s {name}: there is no such setting; is it {meant}?")
        if name.startswith("N8N_") and name not in known:
            raise BadInput(f"-s {name}: there is no such setting.")
    known_here = {*defaults, *OLD_NAMES}
    unset = {name for name in known_here if _can_be_mistyped(name, environment)}
    for name in environment.keys() - known_here:
        if meant := mistyped(name, unset):
            meant = OLD_NAMES.get(meant, meant)
            raise BadInput(f"{name} in the environment is no setting; is it {meant}?")


def _can_be_mistyped(name: str, environment: Mapping[str, str]) -> bool:
    """Whether a slip may have been meant for a variable; a single word has many neighbours."""
    is_set = _given(OLD_NAMES.get(name, name), environment)
    return "_" in name and name not in _SHARED and not is_set

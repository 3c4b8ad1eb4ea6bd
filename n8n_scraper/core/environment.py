"""Where the value of a setting comes from: the environment, or the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings, default_settings

from n8n_scraper.core.errors import BadInput
from n8n_scraper.policies.run.spelling import misspelt, mistyped

defaults: dict[str, str] = {}
"""The variables that settings have been read from, each with what holds where it is unset."""

_SHARED = {"LOG_LEVEL", "USER_AGENT"}
"""Variables that other programs read as well, perhaps under a name that is much the same."""


def user_agent(version: str, contact: str) -> str:
    """Introduce ourselves, with a way to reach whoever runs the crawl."""
    return f"n8n-scraper/{version} ({contact or 'archive of public templates'})"


def setting(name: str, default: str) -> str:
    """The variable's text, or the default where it is unset or empty."""
    defaults[name] = default
    return os.environ.get(name) or default


def given_by_hand(settings: BaseSettings) -> dict[str, Any]:
    """The settings of the command line: `-s`, and what `-o`, `-O` and its like stand for."""
    by_hand = SETTINGS_PRIORITIES["cmdline"]
    return {str(name): settings[name] for name in settings if settings.getpriority(name) == by_hand}


def database_by_hand(settings: BaseSettings) -> str | None:
    """The database that the command line names; one of the environment is there for the next."""
    url = given_by_hand(settings).get("DATABASE_URL")
    return None if url is None else str(url)


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
    known = {*ours, *filter(str.isupper, dir(default_settings)), *further}
    for name in given_by_hand(settings):
        if meant := misspelt(name, known):
            raise BadInput(f"-s {name}: there is no such setting; is it {meant}?")
        if name.startswith("N8N_") and name not in known:
            raise BadInput(f"-s {name}: there is no such setting.")
    unset = {name for name in defaults.keys() - _SHARED if not environment.get(name)}
    for name in environment.keys() - defaults.keys():
        if meant := mistyped(name, unset):
            raise BadInput(f"{name} in the environment is no setting; is it {meant}?")

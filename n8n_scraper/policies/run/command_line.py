"""Write down a command as a person gave it, so that it can be given again; passwords stay out."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from n8n_scraper.core.old_names import names_of

HIDDEN = "***"
# As far as the last @: of a password with a sign that should be encoded no part is shown either.
_PASSWORD = re.compile(r"(\b[a-z][a-z0-9+.-]*://[^\s:/@]*):\S*@", re.IGNORECASE)
_IN_A_QUERY = re.compile(r"([?&](?:password|passwd|token|secret|api_?key)=)[^&\s]*", re.IGNORECASE)
_SECRET_NAME = re.compile(r"PASS|SECRET|TOKEN|(^|_)KEY($|_)")
_SECRET_ADDRESSES = frozenset({"ALERT_URLS"})
_OF_PROXIES = frozenset({"PROXIES", "PROXY_ROTATOR_URL"})
_DATABASE = "DATABASE_URL"
_PLAIN_FEED = {"format", "overwrite"}


def without_passwords(text: str) -> str:
    """Put asterisks in the place of the password of every address in a text."""
    return _IN_A_QUERY.sub(rf"\1{HIDDEN}", _PASSWORD.sub(rf"\1:{HIDDEN}@", text))


def crawl_command(spider: str, arguments: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Write the crawl command with these arguments and settings, quoted for a shell."""
    words = ["scrapy", "crawl", spider]
    for name, value in arguments.items():
        words += ["-a", f"{name}={value}"]
    for name, value in settings.items():
        words += _feeds(value) if name == "FEEDS" else ["-s", f"{name}={_shown(name, value)}"]
    return shlex.join(words)


def joining(command: str, run_id: str) -> str:
    """Let a crawl command work on a run that is there, whose arguments are its own."""
    program, crawl, spider, *words = shlex.split(command)
    kept: list[str] = []
    for word in words:
        if kept and kept[-1] == "-a":
            kept.pop()  # the option, and with it this word
        else:
            kept.append(word)
    return shlex.join([program, crawl, spider, "-a", f"run={run_id}", *kept])


def setting_in(command: str, name: str) -> list[str]:
    """Give the words of a command that set this setting; none when it does not."""
    prefixes = tuple(f"{one}=" for one in names_of(name))
    found = [word for word in shlex.split(command) if word.startswith(prefixes)]
    return ["-s", f"{name}={found[-1].partition('=')[2]}"] if found else []


def with_database(command: str, url: str | None) -> str:
    """Let a command name this database, or none, whichever one it has named."""
    words = shlex.split(command)
    for word in setting_in(command, _DATABASE)[1:]:
        at = words.index(word)
        del words[at - 1 : at + 1]
    given = [] if url is None else ["-s", f"{_DATABASE}={without_passwords(url)}"]
    return shlex.join([*words, *given])


def feeds_in(command: str) -> list[tuple[str, str]]:
    """Give the files that a command writes as feeds, each with its format."""
    words = shlex.split(command)
    feeds = [_feed(word) for option, word in pairwise(words) if option in ("-o", "-O")]
    return [(uri, form) for uri, form in feeds if "://" not in uri and "%(" not in uri]


def _feed(word: str) -> tuple[str, str]:
    """Read a feed as Scrapy does: what follows the last colon is its format, else the ending."""
    uri, _, form = word.rpartition(":")
    return (uri, form) if uri and "/" not in form else (word, PurePath(word).suffix[1:])


def _shown(name: str, value: Any) -> str:
    if (
        name in _SECRET_ADDRESSES
        or _SECRET_NAME.search(name)
        or (name in _OF_PROXIES and _may_name_a_user(str(value)))
    ):
        return HIDDEN
    return without_passwords(_as_written(value) if isinstance(value, Mapping) else str(value))


def _may_name_a_user(proxies: str) -> bool:
    """Whether there is more in it than where proxies are: they may be host:port:user:password."""
    return "@" in proxies or proxies.count(":") > 2


def _as_written(value: Mapping[Any, Any]) -> str:
    """Write a dictionary as a person did: what the wiring has added goes by classes, not names."""
    return json.dumps({key: part for key, part in value.items() if isinstance(key, str)})


def _feeds(feeds: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Write feeds as the options that made them, where options could; else as the setting."""
    kinds = {bool(options.get("overwrite")) for options in feeds.values()}
    if len(kinds) > 1 or any(set(options) - _PLAIN_FEED for options in feeds.values()):
        return ["-s", f"FEEDS={without_passwords(json.dumps(dict(feeds)))}"]
    return list(_options(feeds))


def _options(feeds: Mapping[str, Mapping[str, Any]]) -> Iterable[str]:
    for uri, options in feeds.items():
        yield "-O" if options.get("overwrite") else "-o"
        by_its_name = PurePath(uri).suffix == f".{options['format']}"
        yield without_passwords(uri) + ("" if by_its_name else f":{options['format']}")

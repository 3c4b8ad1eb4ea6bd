"""Reads proxies as people and programs write them down: one by one, as lines, as JSON.

What is wrong with one is told by its place in the list, never by its text, which may hold a
password.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from n8n_scraper.core.errors import BadInput

FORM = "http://user:password@host:port"

_LARGEST_PORT = 65_535
_CREDENTIALS = "latin-1"  # what Scrapy writes the header in
# What other programs call the parts of a proxy in their JSON.
_WHOLE = ("url", "proxy")
_HOST, _PORT = ("host", "ip"), ("port",)
_SCHEME = ("scheme", "protocol", "type")
_USER, _PASSWORD = ("user", "username"), ("password", "pass")


@dataclass(frozen=True, slots=True)
class Proxy:
    """One proxy. Its password is in its address and nowhere else, least in its name."""

    host: str
    port: int
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    rotates: bool = False
    """Whether there are others behind it, one of which may be what failed."""
    number: int = field(default=1, compare=False)
    """Which one it is of those with the same host and port, told apart by their credentials."""

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """What it is called wherever people read."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}" + (f" ({self.number})" if self.number > 1 else "")

    @property
    def url(self) -> str:
        """Its address, credentials included."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        credentials = f"{quote(self.user, safe='')}:{quote(self.password, safe='')}@"
        return f"http://{credentials if self.user else ''}{host}:{self.port}"


def read_proxy(text: str, where: str, *, rotates: bool = False) -> Proxy:
    """Read one; `where` is told when it is none.

    Besides the whole address there are host:port, user:password@host:port, and providers'
    host:port:user:password.
    """
    scheme, separator, rest = text.strip().rpartition("://")
    _check_scheme(scheme.lower() if separator else "http", where)
    try:
        parts = urlsplit(f"//{_in_order(rest)}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port or parts.path.strip("/") or parts.query or parts.fragment:
        raise BadInput(f"{where} is no address of a proxy; write it like {FORM}.")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return _checked(Proxy(host, port, user, password, rotates), where)


def read_proxies(text: str, where: str) -> tuple[Proxy, ...]:
    """Read a list: a line each with # for comments, or JSON; what is there twice counts once."""
    entries = _of_json(text, where) if text.lstrip().startswith(("[", "{")) else _of_lines(text)
    found = distinct(_read_entry(entry, f"{where}, {place},") for place, entry in entries)
    if not found:
        raise BadInput(f"{where} holds no proxy; write one a line, like {FORM}.")
    return found


def distinct(proxies: Iterable[Proxy]) -> tuple[Proxy, ...]:
    """Leave out what was there before, and number those that only their credentials tell apart."""
    numbers: dict[tuple[str, int], int] = {}
    found = []
    for proxy in dict.fromkeys(proxies):
        door = proxy.host, proxy.port
        numbers[door] = numbers.get(door, 0) + 1
        found.append(replace(proxy, number=numbers[door]))
    return tuple(found)


def _of_lines(text: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        # A password may have the sign in it; a comment stands apart.
        written = "" if line.lstrip().startswith("#") else line.partition(" #")[0].strip()
        if written:
            yield f"line {number}", written


def _of_json(text: str, where: str) -> Iterator[tuple[str, Any]]:
    try:
        given = json.loads(text)
    except ValueError:
        raise BadInput(f"{where} begins like JSON and is none.") from None
    entries = given.get("proxies") if isinstance(given, dict) else given
    if not isinstance(entries, list):
        raise BadInput(f"{where} is JSON without a list of proxies.")
    return ((f"entry {number}", entry) for number, entry in enumerate(entries, 1))


def _read_entry(entry: Any, where: str) -> Proxy:
    if isinstance(entry, str):
        return read_proxy(entry, where)
    if not isinstance(entry, Mapping):
        raise BadInput(f"{where} is neither a text nor an object.")
    if whole := _named(entry, _WHOLE):
        return read_proxy(whole, where)
    _check_scheme(_named(entry, _SCHEME).lower() or "http", where)
    port = _named(entry, _PORT)
    host = _named(entry, _HOST).strip("[]")
    if not host or not port.isdecimal() or not 0 < int(port) <= _LARGEST_PORT:
        raise BadInput(f'{where} needs "host" and "port".')
    return _checked(Proxy(host, int(port), _named(entry, _USER), _named(entry, _PASSWORD)), where)


def _named(entry: Mapping[str, Any], names: Iterable[str]) -> str:
    return next((str(entry[name]) for name in names if entry.get(name)), "")


def _in_order(address: str) -> str:
    """Put the credentials of host:port:user:password where an address has them."""
    host, *rest = address.split(":", 3)
    if "@" in address or len(rest) < 3 or not rest[0].isdecimal():
        return address
    port, user, password = rest
    return f"{quote(user, safe='%')}:{quote(password, safe='%')}@{host}:{port}"


def _check_scheme(scheme: str, where: str) -> None:
    if scheme.startswith("socks"):
        raise BadInput(f"{where} is a SOCKS proxy, which Scrapy cannot use; name an http proxy.")
    if scheme == "https":
        raise BadInput(
            f"{where} is to be spoken to by TLS, which Scrapy cannot do for https sites. "
            "If the proxy also listens without TLS, write http:// (the tunnel is encrypted anyway)."
        )
    if scheme != "http":
        raise BadInput(f"{where} is no address of a proxy; write it like {FORM}.")


def _checked(proxy: Proxy, where: str) -> Proxy:
    try:
        f"{proxy.user}{proxy.password}".encode(_CREDENTIALS)
    except UnicodeEncodeError:
        raise BadInput(f"{where} has credentials with signs that no proxy is sent.") from None
    return proxy

"""Compares hosts as hosts: by scheme, name and port, never by how their addresses begin."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}


class Origin(NamedTuple):
    """Where an address leads, whatever stands behind the host in it."""

    scheme: str
    host: str
    port: int


def origin_of(url: str) -> Origin | None:
    """Give the origin of an address; None for what is no address of a host."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    return Origin(parts.scheme, host_name(parts.hostname), port) if parts.hostname else None


def host_name(host: str) -> str:
    """Give one spelling for a name, whether it is written in letters or as `xn--…`."""
    name = host.rstrip(".").lower()
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return name

"""Read which Redis is meant; nothing here connects to it, or needs a library for it."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import unquote, urlsplit

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.extras import WORKERS
from n8n_scraper.core.typed_settings import Given, TypedSettings, text

EXAMPLE = "redis://127.0.0.1:6379/0"
_SCHEMES = ("redis", "rediss")
_PORT = 6379


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """Where a Redis answers."""

    url: str = field(repr=False)  # it may hold a password
    host: str
    port: int
    database: int
    user: str
    password: str = field(repr=False)

    @classmethod
    def parse(cls, url: str, setting: str) -> Self:
        """Read the address that a setting holds, or raise BadInput."""
        try:
            parts = urlsplit(url)
            database = int(parts.path.strip("/") or "0")
            port = _PORT if parts.port is None else parts.port
        except ValueError:
            raise _no_address(setting) from None
        if parts.scheme not in _SCHEMES or not parts.hostname or not port or database < 0:
            raise _no_address(setting)
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        return cls(url, parts.hostname, port, database, user, password)

    @property
    def place(self) -> str:
        """Host and port, as a person reads them."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def is_here(self) -> bool:
        """Whether this is a port of this very machine that no other machine can reach."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def is_encrypted(self) -> bool:
        """Whether it is spoken to by TLS."""
        return self.url.startswith("rediss:")


@dataclass(frozen=True, slots=True)
class RedisSettings(TypedSettings):
    """The Redis that workers share, if they share one."""

    address: RedisAddress | None

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `REDIS_URL`."""
        url = text(settings, "REDIS_URL")
        return cls(RedisAddress.parse(url, "REDIS_URL") if url else None)

    def check(self) -> None:
        """Say what is lacking to speak to it."""
        if self.address:
            WORKERS.require("redis", "REDIS_URL")


def _no_address(setting: str) -> BadInput:
    # The value stays unsaid: it may hold a password.
    return BadInput(f"{setting} is no address of a Redis; write one such as {EXAMPLE}.")

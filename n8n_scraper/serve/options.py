"""Read where we answer, under which names, and what a stranger has to know."""

from __future__ import annotations

import socket
from dataclasses import dataclass, field
from typing import Self

from aiohttp import web

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.redis_settings import RedisAddress, RedisSettings
from n8n_scraper.core.typed_settings import (
    Given,
    TypedSettings,
    listed,
    refuse,
    seconds,
    text,
    whole,
)
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.media.picture_settings import PictureSettings
from n8n_scraper.policies.safety.origin import Origin, origin_of
from n8n_scraper.policies.safety.visits import House, is_loopback

LEAST_TOKEN = 16
"""A shorter token could be guessed."""

_HIGHEST_PORT = 65535


@dataclass(frozen=True, slots=True)
class ServeOptions(TypedSettings):
    """What `scrapy serve` is told."""

    host: str
    port: int
    """0 is any that is free."""
    token: str = field(repr=False)
    """Empty: there is none."""
    names: tuple[str, ...]
    """Host names under which we are reached, besides this machine's own."""
    origins: frozenset[Origin]
    """Of pages that may read with credentials what is open to other sites: an n8n elsewhere."""
    look_seconds: float
    """How long one look into the archive may take."""
    item_attempts: int
    """How often an item of a run is tried that programs elsewhere report on."""
    database_url: str = field(repr=False)
    pictures: str = ""
    """The folder of the pictures that were fetched."""
    redis: RedisAddress | None = None
    """Where the pace of all crawls is kept, if not in the database."""
    told: Given = field(default_factory=dict, repr=False)
    """The project's settings: where the sources are, and what a crawl would be told."""
    kept: tuple[str, ...] = ()
    """Which of them a run keeps that is created here."""

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `SERVE_…`."""
        port = whole(settings, "SERVE_PORT", least=0)
        if port > _HIGHEST_PORT:
            refuse(settings, "SERVE_PORT", f"a port, at most {_HIGHEST_PORT}")
        token = text(settings, "SERVE_TOKEN")
        if token and (len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable()):
            # The value stays unsaid: it may be the beginning of the right one.
            raise BadInput(
                f"SERVE_TOKEN has to be {LEAST_TOKEN} or more letters, digits and signs that "
                "are hard to guess; `openssl rand -hex 24` makes some."
            )
        origins = [origin_of(address) for address in listed(settings, "SERVE_ORIGINS")]
        if not all(origin and origin.scheme in ("http", "https") for origin in origins):
            refuse(settings, "SERVE_ORIGINS", "addresses such as https://n8n.example")
        return cls(
            host=text(settings, "SERVE_HOST"),
            port=port,
            token=token,
            names=tuple(listed(settings, "SERVE_NAMES")),
            origins=frozenset(filter(None, origins)),
            look_seconds=seconds(settings, "SERVE_LOOK_SECONDS"),
            database_url=DatabaseSettings.from_settings(settings).url,
            pictures=PictureSettings.from_settings(settings).folder,
            redis=RedisSettings.from_settings(settings).address,
            item_attempts=whole(settings, "SERVE_ITEM_ATTEMPTS"),
            told=settings,
        )

    def check(self) -> None:
        """Refuse to answer strangers who need to know nothing."""
        if not self.token and not is_loopback(self.host):
            raise BadInput(
                f"at {self.host} other machines reach the archive: set SERVE_TOKEN, which "
                "`openssl rand -hex 24` makes, or stay at 127.0.0.1."
            )

    @property
    def house(self) -> House:
        """What decides who is let in."""
        names = {socket.gethostname(), *self.names}
        return House.at(self.host, names, has_token=bool(self.token))


OPTIONS: web.AppKey[ServeOptions] = web.AppKey("OPTIONS", ServeOptions)

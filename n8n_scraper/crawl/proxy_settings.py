"""Read through which proxies a crawl goes, and refuse what would not be safe."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.project_folder import in_project
from n8n_scraper.core.typed_settings import (
    Given,
    TypedSettings,
    listed,
    refuse,
    seconds,
    switch,
    text,
    whole,
)
from n8n_scraper.policies.proxies.pool import RestLimits
from n8n_scraper.policies.proxies.proxy import Proxy, distinct, read_proxies, read_proxy
from n8n_scraper.policies.safety.private_network import is_this_machine


@dataclass(frozen=True, slots=True)
class ProxySettings(TypedSettings):
    """The proxies of a crawl, and how they are treated."""

    named: tuple[Proxy, ...]
    """Those that stand in the setting itself."""
    file: str
    """Where they stand else."""
    rotator: Proxy | None
    """What is asked in the place of them all."""
    least: int
    """With fewer than so many a crawl says so."""
    limits: RestLimits
    refresh_seconds: float
    canary_url: str
    """An https page of our own, by which a proxy is tried."""
    plain_http: bool
    verified: bool
    """Whether a site has to prove who it is."""
    health_file: str

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `PROXIES`, `MIN_PROXIES` and `PROXY_…`."""
        entries = listed(settings, "PROXIES")
        is_file = len(entries) == 1 and ":" not in entries[0]
        rest = _more_than_none(settings, "PROXY_REST_SECONDS")
        made = cls(
            named=() if is_file else _named(entries),
            file=in_project(entries[0]) if is_file else "",
            rotator=_rotator(text(settings, "PROXY_ROTATOR_URL")),
            least=whole(settings, "MIN_PROXIES", least=0),
            limits=RestLimits(rest, max(rest, seconds(settings, "PROXY_REST_CAP_SECONDS"))),
            refresh_seconds=_more_than_none(settings, "PROXY_REFRESH_SECONDS"),
            canary_url=_https_page(settings, "PROXY_CANARY_URL"),
            plain_http=switch(settings, "PROXY_PLAIN_HTTP"),
            verified=switch(settings, "DOWNLOAD_VERIFY_CERTIFICATES"),
            health_file=in_project(_path(settings, "PROXY_HEALTH_FILE")),
        )
        if made.in_use and not (made.verified or made.rotator):
            raise BadInput(
                "DOWNLOAD_VERIFY_CERTIFICATES is False: any of the PROXIES could answer in the "
                "place of the site. Leave it True."
            )
        return made

    @property
    def in_use(self) -> bool:
        """Whether a crawl goes through proxies."""
        return bool(self.named or self.file or self.rotator)

    def read(self) -> tuple[Proxy, ...]:
        """Give all of the list, as it is now; BadInput where there is none that can be read."""
        return read_proxies(self.read_file(), self.file) if self.file else self.named

    def read_file(self) -> str:
        """Give the text of the file."""
        try:
            return Path(self.file).read_text("utf-8")
        except OSError as error:
            raise BadInput(f"PROXIES names {self.file}: {error.strerror}.") from None
        except UnicodeDecodeError:
            raise BadInput(f"PROXIES names {self.file}, which is no text.") from None

    def pool(self) -> tuple[Proxy, ...]:
        """Give the proxies that requests go through."""
        return (self.rotator,) if self.rotator else self.read()

    def check(self) -> None:
        """Refuse a list that cannot be read."""
        if self.in_use:
            self.pool()

    def may_carry(self, url: str) -> bool:
        """Whether a request may go through a proxy: one who carries plain http can forge it."""
        parts = urlsplit(url)
        return parts.scheme == "https" or self.plain_http or is_this_machine(parts.hostname or "")

    def check_carries(self, url: str) -> None:
        """Raise BadInput for a site that could be forged."""
        if self.in_use and not self.may_carry(url):
            raise BadInput(
                f"{url} is plain http, and any of the proxies could forge what it answers: write "
                "https://, or PROXY_PLAIN_HTTP=1 if the proxies are your own."
            )


def _named(entries: list[str]) -> tuple[Proxy, ...]:
    places = enumerate(entries, 1)
    return distinct(read_proxy(entry, f"PROXIES, entry {number},") for number, entry in places)


def _rotator(given: str) -> Proxy | None:
    return read_proxy(given, "PROXY_ROTATOR_URL", rotates=True) if given else None


def _more_than_none(settings: Given, name: str) -> float:
    return seconds(settings, name) or refuse(settings, name, "a number of seconds, more than 0")


def _path(settings: Given, name: str) -> str:
    return text(settings, name) or refuse(settings, name, "the path of a file")


def _https_page(settings: Given, name: str) -> str:
    given = text(settings, name)
    try:
        parts = urlsplit(given)
        fits = not given or (parts.scheme == "https" and bool(parts.hostname) and parts.port != 0)
    except ValueError:
        fits = False
    return given if fits else refuse(settings, name, "the https address of a page of your own")

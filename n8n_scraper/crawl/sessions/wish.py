"""What a request wants of its browser session: who gives it, and as whom it visits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.sessions.session_settings import Giver

if TYPE_CHECKING:
    from scrapy import Request

SESSION_PROVIDER = "session_provider"
"""Key of `Request.meta`: who gives its browser session, in place of the setting of that name."""

SESSION_LOCALE = "session_locale"
"""Key of `Request.meta`: the language and country of its session, such as `zh-HK`."""

SESSION_ID = "session_id"
"""Key of `Request.meta`: the session that has visited it last."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The kind of session that one request wants."""

    giver: Giver
    introduction: str = ""
    """How we introduce ourselves."""
    proxy: str = ""
    credentials: str = ""
    locale: str = ""

    @property
    def identity(self) -> str:
        """What sessions that give the same are alike in; a remote one is told anew each time."""
        if self.giver is Giver.BROWSERBASE:
            return ""
        return "\n".join((self.introduction, self.proxy, self.credentials, self.locale))


def wish_of(request: Request, usual: Giver) -> Wish:
    """Read what a request wants."""

    def header(name: str) -> str:
        return (request.headers.get(name) or b"").decode("latin-1")

    return Wish(
        giver=_giver(request) or usual,
        introduction=header("User-Agent"),
        proxy=request.meta.get("proxy") or "",
        credentials=header("Proxy-Authorization"),
        locale=str(request.meta.get(SESSION_LOCALE) or ""),
    )


def _giver(request: Request) -> Giver | None:
    given = request.meta.get(SESSION_PROVIDER)
    try:
        return Giver(given) if given else None
    except ValueError:
        names = ", ".join(Giver)
        raise BadInput(f"meta[{SESSION_PROVIDER!r}] is {given!r}; write one of {names}.") from None

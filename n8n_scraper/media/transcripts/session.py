"""The way of every HTTP request to the video host, redirects included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from requests import PreparedRequest, Response, Session
from requests.adapters import HTTPAdapter
from requests.exceptions import InvalidURL

from n8n_scraper.media.transcripts.options import VIDEO_DOMAIN
from n8n_scraper.policies.pace.domain import registrable_domain

TIMEOUT = (10.0, 20.0)
"""Seconds to connect, and to wait for the next bytes of an answer."""

_PLAYER = "/youtubei/v1/player"


@dataclass(slots=True)
class Heard:
    """What the host has said about a video beyond what the library tells."""

    status: int | None = None
    empty: bool = False
    retry_after: str | None = None
    playability: dict[str, Any] | None = None

    @property
    def withheld(self) -> bool:
        """Whether all is well but nothing came: so the host keeps captions from strangers."""
        return self.empty and self.status == 200


class Conversation:
    """Remembers what was heard since the last video began."""

    def __init__(self) -> None:
        self.heard = Heard()

    def begin(self) -> None:
        """Forget the last video."""
        self.heard = Heard()

    def listen(self, response: Response, **_: Any) -> None:
        """Hear an answer."""
        self.heard.status = response.status_code
        self.heard.empty = not response.content.strip()
        self.heard.retry_after = response.headers.get("Retry-After") or self.heard.retry_after
        if urlsplit(response.url).path == _PLAYER:
            self.heard.playability = _playability(response)


class PacedAdapter(HTTPAdapter):
    """Asks for leave before each request, and can lead all of them to a stand-in of the host.

    The host's answers name further addresses, of captions for one; those on other sites are not
    asked, whether an answer names them or a redirect.
    """

    def __init__(self, leave: Callable[[], None], stand_in: str | None) -> None:
        super().__init__()
        self._leave = leave
        self._stand_in = stand_in

    def send(
        self,
        request: PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: dict[str, str] | None = None,
    ) -> Response:
        """Send a request when it may go; the library itself knows no deadline."""
        if registrable_domain(request.url or "") != VIDEO_DOMAIN:
            raise InvalidURL(f"not asked: {request.url} is no address of the video host")
        self._leave()
        if self._stand_in:
            request = _led_to(self._stand_in, request)
        return super().send(request, stream, timeout or TIMEOUT, verify, cert, proxies)


def open_session(
    leave: Callable[[], None], conversation: Conversation, stand_in: str | None = None
) -> Session:
    """Give the session that the library is to use for everything it asks."""
    session = Session()
    session.hooks["response"].append(conversation.listen)
    adapter = PacedAdapter(leave, stand_in)
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    # A proxy of the environment is for the real host.
    session.trust_env = stand_in is None
    return session


def _led_to(host_url: str, request: PreparedRequest) -> PreparedRequest:
    led = request.copy()
    led.url = host_url + str(request.path_url)
    return led


def _playability(response: Response) -> dict[str, Any] | None:
    try:
        said = response.json().get("playabilityStatus")
    except (ValueError, AttributeError, RecursionError):
        return None
    return said if isinstance(said, dict) else None

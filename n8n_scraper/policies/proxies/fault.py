"""Says what a proxy did wrong, where it was the proxy and not the site.

An https site proves who it is. So an answer that came through a tunnel is the site's own, and what
failed before it is a matter of the way. Over plain http an answer is the proxy's where the proxy
says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Self

from n8n_scraper.policies.failure.category import (
    Category,
    classify,
    kinds_of,
    speaks_of_no_word,
)


class Fault(StrEnum):
    """Names what came in the place of an answer."""

    words: str
    is_certain: bool
    """Whether nothing behind the proxy can have been the cause."""

    def __new__(cls, value: str, words: str, is_certain: bool = False) -> Self:
        """Make a name that knows its words."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.words = words
        member.is_certain = is_certain
        return member

    ABSENT = "absent", "nobody is there", True
    LOCKED = "locked", "it wants other credentials", True
    REFUSED = "refused", "it opened no tunnel"
    SILENT = "silent", "no answer came in time"
    FOREIGN = "foreign", "what it brought is not the site's"
    OWN_PAGE = "own_page", "it answered in the place of the site"
    BROKEN = "broken", "the line broke"


WORDS = {one.value: one.words for one in Fault}
"""What each name means."""

_WANTS_CREDENTIALS = frozenset({401, 407})
_NOT_CONNECTED = frozenset({"scrapy.DownloadConnectionRefusedError", "twisted.ConnectError"})
_NOT_PROVEN = frozenset(
    {
        "OpenSSL.Error",
        "service_identity.VerificationError",
        "ssl.SSLError",
        "twisted.CertificateError",
        "twisted.VerifyError",
    }
)
_PROGRAMS = ("tinyproxy",)


def fault_of(exception: BaseException, tunnel_status: int | None = None) -> Fault | None:
    """Give the fault that brought an exception instead of an answer; None where the way was well.

    `tunnel_status` is what the proxy answered when it was asked for a tunnel. The name that could
    not be resolved is the proxy's own: the site's is resolved behind it.
    """
    category = classify(exception=exception)
    if not speaks_of_no_word(category):
        return None
    kinds = frozenset(kinds_of(exception))
    if "scrapy.TunnelError" in kinds:
        return Fault.LOCKED if tunnel_status in _WANTS_CREDENTIALS else Fault.REFUSED
    if category is Category.DNS or kinds & _NOT_CONNECTED:
        return Fault.ABSENT
    if kinds & _NOT_PROVEN:
        return Fault.FOREIGN
    return Fault.SILENT if category is Category.TIMEOUT else Fault.BROKEN


def fault_of_page(status: int, headers: Mapping[str, str]) -> Fault | None:
    """Give the fault of a proxy that answered a plain http request itself, by positive evidence.

    `headers` has lower-case names. A page that says nothing of where it is from passes for the
    site's: that is why foreign proxies carry https only.
    """
    if status == 407 or (status == 401 and _is_of_a_program(headers)):
        return Fault.LOCKED
    says_so = "x-squid-error" in headers or "error=" in headers.get("proxy-status", "")
    return Fault.OWN_PAGE if says_so or _is_of_a_program(headers) else None


def _is_of_a_program(headers: Mapping[str, str]) -> bool:
    """Whether a program that passes on the site's `Server` has written its own."""
    return headers.get("server", "").lower().startswith(_PROGRAMS)

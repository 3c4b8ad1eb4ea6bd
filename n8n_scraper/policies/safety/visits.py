"""Say whether a request to our own pages is let in; nothing here knows how a request is made.

Three things are kept out: a stranger where others can reach the address, a page of another site
that makes a person's browser ask for it, and a name that was made to point here (DNS rebinding).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Openness(StrEnum):
    """To whom a route is open."""

    EVERYBODY = "everybody"  # nothing of the archive is in it: the form that asks for the token
    PAGES = "pages"  # a browser that shows our own pages, known by its cookie
    PROGRAMS = "programs"  # known by the header
    OTHER_SITES = "other sites"  # scripts in pages of others too, such as n8n's own


class Credential(StrEnum):
    """What came to show that the asker knows the token."""

    NONE = "none"
    WRONG = "wrong"
    RIGHT = "right"


class Verdict(StrEnum):
    """Whether a request is let in, or why not."""

    LET_IN = "let in"
    UNKNOWN_NAME = "unknown name"
    FROM_ANOTHER_SITE = "from another site"
    TOKEN_IN_QUERY = "token in the query"  # noqa: S105 - no token
    WRONG_TOKEN = "wrong token"  # noqa: S105 - no token
    TOKEN_WANTED = "token wanted"  # noqa: S105 - no token
    NOTHING_CHANGES = "nothing changes"


@dataclass(frozen=True, slots=True)
class House:
    """Where we answer, and how that is secured."""

    is_loopback: bool
    """Whether only programs of this very machine reach us."""
    has_token: bool
    names: frozenset[str]
    """The host names that mean us, besides every address written in digits."""

    @classmethod
    def at(cls, host: str, names: Iterable[str], *, has_token: bool) -> House:
        """Give the house that answers at an address, under further names perhaps."""
        known = {"localhost", host, *names}
        return cls(is_loopback(host), has_token, frozenset(name.casefold() for name in known))


@dataclass(frozen=True, slots=True)
class Visit:
    """A request, as far as it matters to whether it is let in."""

    openness: Openness
    changes: bool
    """Whether more than reading is asked for."""
    host: str | None
    """The header of this name."""
    origin: str | None = None
    """The header of this name."""
    fetch_site: str | None = None
    """`Sec-Fetch-Site`, by which a browser says whose page has asked."""
    navigates: bool = False
    """Whether a person goes to a page: the answer is shown, and no script sees it."""
    credential: Credential = Credential.NONE
    token_in_query: bool = False
    """Where it would stand in logs and histories."""


def verdict_on(visit: Visit, house: House) -> Verdict:
    """Let a request in, or say why not: the whole rule is here."""
    if not _means_us(visit.host, house):
        return Verdict.UNKNOWN_NAME
    if visit.token_in_query:
        return Verdict.TOKEN_IN_QUERY
    may_be_foreign = visit.openness is Openness.OTHER_SITES and not visit.changes
    if not may_be_foreign and _is_foreign(visit):
        return Verdict.FROM_ANOTHER_SITE
    if visit.openness is Openness.EVERYBODY or visit.credential is Credential.RIGHT:
        return Verdict.LET_IN
    if visit.credential is Credential.WRONG:
        return Verdict.WRONG_TOKEN
    if house.is_loopback and not visit.changes:
        return Verdict.LET_IN
    return Verdict.TOKEN_WANTED if house.has_token else Verdict.NOTHING_CHANGES


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine reach what answers at an address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.casefold() == "localhost"


def _means_us(host: str | None, house: House) -> bool:
    name = _name_in(host or "")
    # What is written in digits was looked up by nobody, so nobody can have lied about it.
    return name in house.names or _is_in_digits(name)


def _is_foreign(visit: Visit) -> bool:
    if visit.navigates and not visit.changes:
        return False
    if visit.fetch_site is not None and visit.fetch_site not in ("same-origin", "none"):
        return True
    # Where a page sends no referrer its forms have no origin: then the other header has to speak.
    if visit.origin in (None, "null"):
        return visit.origin is not None and visit.fetch_site is None
    return (visit.origin or "").partition("://")[2].casefold() != (visit.host or "").casefold()


def _name_in(host: str) -> str:
    """Take the port off a `Host` header."""
    name, colon, port = host.rpartition(":")
    has_port = bool(colon) and (port.isdecimal() or not port) and not name.endswith(":")
    return (name if has_port else host).strip("[]").rstrip(".").casefold()


def _is_in_digits(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

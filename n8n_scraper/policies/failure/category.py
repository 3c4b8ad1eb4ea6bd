"""Names what went wrong, once, for retry, circuit, ledger, stats and reports alike.

Decided by types and numbers, never by searching words in a message: a page called
"Handle 404 and captcha errors" is a healthy one.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from functools import lru_cache
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from n8n_scraper.policies.failure.body import BodyFacts


class Sign(Enum):
    """What a failure says of the site's health."""

    NO_WORD = auto()
    """It is ill: nothing came from it."""
    ILL = auto()
    """It is ill, and said so or broke off."""
    WELL = auto()
    """It gave a whole answer, liked or not."""
    NONE = auto()
    """Nothing was learnt about it."""


@dataclass(frozen=True, slots=True)
class Traits:
    """All that is particular about one kind of failure."""

    sign: Sign
    attempts: int
    """How often it is asked in all, by default; what asking again does not change has 1."""
    waits: bool = True
    """Whether it takes time until asking again can help."""
    is_refusal: bool = False
    """Whether the site, or our word to it, keeps us out."""
    is_absence: bool = False
    """Whether it is the site's own word that it has no such thing."""
    is_told_in_words: bool = False
    """Whether its message says it all, and the way it took through our code says nothing."""
    statuses: tuple[int, ...] = ()
    exceptions: tuple[str, ...] = ()
    """Top-level package and class name, looked up along the bases of what was raised.

    By name, so that neither a reactor nor Playwright is ever imported to ask the question.
    """


class Category(StrEnum):
    """Names each kind of failure that is treated differently from the others, one a row."""

    traits: Traits

    def __new__(cls, value: str, traits: Traits) -> Self:
        """Make a name that knows its row."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.traits = traits
        return member

    NETWORK = (
        "network",
        Traits(
            Sign.NO_WORD,
            attempts=3,
            exceptions=(
                "scrapy.DownloadConnectionRefusedError",
                "scrapy.DownloadFailedError",
                "scrapy.TunnelError",
                "twisted.BadHeaders",
                "twisted.CertificateError",
                "twisted.ConnectError",
                "twisted.ConnectionAborted",
                "twisted.ConnectionClosed",
                "twisted.NoProtocol",
                "twisted.ParseError",
                "twisted.RequestNotSent",
                "twisted.RequestTransmissionFailed",
                "twisted.ResponseFailed",
                "twisted.VerifyError",
                "OpenSSL.Error",
                "builtins.ConnectionError",
                "http.HTTPException",
                "ssl.SSLError",
                "aiohttp.ClientConnectionError",
                "playwright.Error",
                "requests.ConnectionError",
            ),
        ),
    )
    TIMEOUT = (
        "timeout",
        Traits(
            Sign.NO_WORD,
            attempts=3,
            statuses=(408,),
            exceptions=(
                "scrapy.DownloadTimeoutError",
                "twisted.TCPTimedOutError",
                "twisted.TimeoutError",
                "builtins.TimeoutError",
                "aiohttp.ServerTimeoutError",
                "playwright.TimeoutError",
                "requests.ConnectTimeout",
                "requests.Timeout",
            ),
        ),
    )
    DNS = (
        "dns",
        Traits(
            Sign.NO_WORD,
            attempts=3,
            exceptions=(
                "scrapy.CannotResolveHostError",
                "twisted.DNSLookupError",
                "twisted.DNSQueryTimeoutError",
                "twisted.DomainError",
                "twisted.ResolverError",
                "twisted.UnknownHostError",
                "socket.gaierror",
                "socket.herror",
                "aiohttp.ClientConnectorDNSError",
            ),
        ),
    )
    RATE_LIMITED = "rate_limited", Traits(Sign.ILL, attempts=3, statuses=(429,))
    # Every 5xx, 520-530 included.
    SERVER_ERROR = "server_error", Traits(Sign.ILL, attempts=3, statuses=tuple(range(500, 600)))
    NOT_FOUND = (
        "not_found",
        Traits(
            Sign.WELL,
            attempts=1,
            is_absence=True,
            statuses=(404,),
            exceptions=("n8n_scraper.NotFoundPage",),
        ),
    )
    GONE = "gone", Traits(Sign.WELL, attempts=1, is_absence=True, statuses=(410,))
    AUTH = "auth", Traits(Sign.WELL, attempts=1, is_refusal=True, statuses=(401,))
    FORBIDDEN = (
        "forbidden",
        Traits(
            Sign.WELL,
            attempts=1,
            is_refusal=True,
            statuses=(403, 451),  # withheld for legal reasons: there, but not for us
            exceptions=("scrapy.IgnoreRequest",),  # robots.txt says no, and we obey
        ),
    )
    TRUNCATED = (
        "truncated",
        Traits(
            Sign.ILL,
            attempts=3,
            exceptions=(
                "scrapy.ResponseDataLossError",
                "twisted.PartialDownloadError",
                "twisted.PotentialDataLoss",
                "twisted._DataLoss",
                "asyncio.IncompleteReadError",
                "http.IncompleteRead",
                "aiohttp.ClientPayloadError",
                "requests.ChunkedEncodingError",
            ),
        ),
    )
    BAD_CONTENT = (
        "bad_content",
        Traits(
            Sign.WELL,
            attempts=3,
            exceptions=(
                "builtins.UnicodeDecodeError",
                "gzip.BadGzipFile",
                "json.JSONDecodeError",
                "zlib.error",
                "requests.ContentDecodingError",
                "n8n_scraper.UnreadableAnswer",
            ),
        ),
    )
    # It would be as large again.
    TOO_LARGE = (
        "too_large",
        Traits(
            Sign.WELL,
            attempts=1,
            is_told_in_words=True,
            exceptions=("scrapy.DownloadCancelledError",),
        ),
    )
    # A challenge page; insisting against a wall only makes it higher.
    BLOCKED = "blocked", Traits(Sign.WELL, attempts=1, is_refusal=True)
    # It leads to another site, or into a private network, and we do not go there.
    OFF_SITE = "off_site", Traits(Sign.WELL, attempts=1)
    PRIVATE_ADDRESS = (
        "private_address",
        Traits(Sign.WELL, attempts=1, exceptions=("n8n_scraper.PrivateAddress",)),
    )
    # A proxy of ours has failed: that says nothing of the site, and another one may do better.
    PROXY = (
        "proxy",
        Traits(
            Sign.NONE,
            attempts=5,
            waits=False,
            is_told_in_words=True,
            statuses=(407,),
            exceptions=("n8n_scraper.ProxyFailed",),
        ),
    )
    # A browser or Firecrawl did not do its work: that says nothing of the site.
    TOOL = (
        "tool",
        Traits(
            Sign.NONE,
            attempts=3,
            is_told_in_words=True,
            exceptions=("n8n_scraper.ToolFailed",),
        ),
    )
    # An odd 4xx or an exception nobody foresaw: once more, in case it was a passing mood.
    UNKNOWN = "unknown", Traits(Sign.NONE, attempts=2)


NOT_THERE = frozenset(one for one in Category if one.traits.is_absence)
"""The site's own word that it has no such thing."""
REFUSALS = frozenset(one for one in Category if one.traits.is_refusal)
"""What keeps us out."""
STATUS = {status: one for one in Category for status in one.traits.statuses}
"""What a status says; below 400 it says that all is well, and of any other it is unknown."""
EXCEPTIONS = {name: one for one in Category for name in one.traits.exceptions}
"""What an exception says."""

WITHOUT_BODY = frozenset({204, 205, 304})
"""Statuses whose empty body is right."""

UNREACHABLE = frozenset(
    {errno.ENETDOWN, errno.ENETUNREACH, errno.ENETRESET, errno.EHOSTDOWN, errno.EHOSTUNREACH}
)
"""Plain OSErrors that mean the network; any other (a full disk) says nothing about a site."""

DEPTH = 5
"""How many exceptions inside one another are looked at."""


def classify(
    *,
    status: int | None = None,
    exception: BaseException | None = None,
    body: BodyFacts | None = None,
) -> Category | None:
    """Give the one category of a failure, or None for a healthy answer.

    An exception speaks first: with it, there is no whole answer. Then a challenge page, which
    comes with 200, 403, 429 and 503 alike; then the status; then what is wrong with the body.
    """
    if exception is not None:
        category = _of_exception(exception)
        if category is Category.UNKNOWN and status is not None:
            return _of_status(status) or category
        return category
    if body is not None and body.challenge:
        return Category.BLOCKED
    if status is not None and (category_of_status := _of_status(status)):
        return category_of_status
    if body is None or status in WITHOUT_BODY:
        return None
    return _of_body(body)


def kinds_of(exception: BaseException, depth: int = DEPTH) -> Iterator[str]:
    """Yield the names of its classes, as `Traits` has them, and those of what it wraps."""
    for base in type(exception).__mro__:
        yield _name_of(base)
    for inner in _inside(exception) if depth else ():
        yield from kinds_of(inner, depth - 1)


def speaks_of_health(category: Category | None) -> bool:
    """Tell whether this failure says that the site is ill, so that a circuit counts it.

    Network, time-out, DNS, 5xx, 429 and an answer cut short do. A 404, a refusal, a challenge
    page, content we cannot read, our own refusals and our own errors do not.
    """
    return category is not None and category.traits.sign in (Sign.NO_WORD, Sign.ILL)


def answered(category: Category | None) -> bool:
    """Tell whether the site gave a whole answer, liked or not: a sign of life for a circuit.

    Neither this nor `speaks_of_health` holds for `unknown`, where nothing was learnt about the
    site.
    """
    return category is None or category.traits.sign is Sign.WELL


def speaks_of_no_word(category: Category | None) -> bool:
    """Tell whether no word came from the host."""
    return category is not None and category.traits.sign is Sign.NO_WORD


def _of_status(status: int) -> Category | None:
    if 100 <= status < 400:
        return None
    return STATUS.get(status, Category.UNKNOWN)


def _of_body(body: BodyFacts) -> Category | None:
    if body.too_large:
        return Category.TOO_LARGE
    if body.truncated:
        return Category.TRUNCATED
    if body.empty or body.undecodable or body.not_json or body.not_xml:
        return Category.BAD_CONTENT
    return None


def _of_exception(exception: BaseException, depth: int = DEPTH) -> Category:
    cls: type = type(exception)
    category = _of_class(cls)
    if category is None and isinstance(exception, OSError) and exception.errno in UNREACHABLE:
        category = Category.NETWORK
    if category is not Category.NETWORK or depth == 0:
        return category or Category.UNKNOWN
    # "The download failed" is true of much; what it wraps may say more exactly how.
    for inner in _inside(exception):
        exact = _of_exception(inner, depth - 1)
        if exact not in (Category.NETWORK, Category.UNKNOWN):
            return exact
    return category


@lru_cache(maxsize=1024)
def _of_class(cls: type) -> Category | None:
    return next(filter(None, (EXCEPTIONS.get(_name_of(base)) for base in cls.__mro__)), None)


def _name_of(cls: type) -> str:
    return f"{str(cls.__module__).partition('.')[0]}.{cls.__name__}"


def _inside(exception: BaseException) -> Iterator[BaseException]:
    """Yield what an exception wraps: Twisted's list of failures, and its cause."""
    reasons = getattr(exception, "reasons", None)
    for reason in reasons if isinstance(reasons, list | tuple) else ():
        inner = getattr(reason, "value", reason)
        if isinstance(inner, BaseException):
            yield inner
    if exception.__cause__ is not None:
        yield exception.__cause__

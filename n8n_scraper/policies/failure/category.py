"""Names what went wrong, once, for retry, circuit, ledger, stats and reports alike.

Decided by types and numbers, never by searching words in a message: a template called
"Handle 404 and captcha errors" is a healthy page.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from n8n_scraper.policies.failure.body import BodyFacts


class Category(StrEnum):
    """Names each kind of failure that is treated differently from the others."""

    NETWORK = "network"
    TIMEOUT = "timeout"
    DNS = "dns"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    NOT_FOUND = "not_found"
    GONE = "gone"
    AUTH = "auth"
    FORBIDDEN = "forbidden"
    TRUNCATED = "truncated"
    BAD_CONTENT = "bad_content"
    TOO_LARGE = "too_large"
    BLOCKED = "blocked"
    OFF_SITE = "off_site"
    PRIVATE_ADDRESS = "private_address"
    UNKNOWN = "unknown"


NOT_THERE = (Category.NOT_FOUND, Category.GONE)
"""The site's own word that it has no such thing."""


STATUS = {
    401: Category.AUTH,
    403: Category.FORBIDDEN,
    404: Category.NOT_FOUND,
    407: Category.AUTH,  # our proxy wants credentials; asking again brings none
    408: Category.TIMEOUT,
    410: Category.GONE,
    429: Category.RATE_LIMITED,
    451: Category.FORBIDDEN,  # withheld for legal reasons: there, but not for us
}
"""What a status says.

Every 5xx, 520-530 included, is a server error. Any other 4xx, and a number that is no
HTTP status at all, is unknown. Everything below 400 is healthy as far as the status goes.
"""

WITHOUT_BODY = frozenset({204, 205, 304})
"""Statuses whose empty body is right."""

EXCEPTIONS = {
    # Scrapy
    "scrapy.CannotResolveHostError": Category.DNS,
    "scrapy.IgnoreRequest": Category.FORBIDDEN,  # robots.txt says no, and we obey
    "scrapy.DownloadConnectionRefusedError": Category.NETWORK,
    "scrapy.DownloadCancelledError": Category.TOO_LARGE,
    "scrapy.DownloadFailedError": Category.NETWORK,
    "scrapy.DownloadTimeoutError": Category.TIMEOUT,
    "scrapy.ResponseDataLossError": Category.TRUNCATED,
    "scrapy.TunnelError": Category.NETWORK,
    # Sockets and names in Twisted
    "twisted.CertificateError": Category.NETWORK,
    "twisted.ConnectError": Category.NETWORK,
    "twisted.ConnectionAborted": Category.NETWORK,
    "twisted.ConnectionClosed": Category.NETWORK,
    "twisted.DNSLookupError": Category.DNS,
    "twisted.DNSQueryTimeoutError": Category.DNS,
    "twisted.DomainError": Category.DNS,
    "twisted.NoProtocol": Category.NETWORK,
    "twisted.ResolverError": Category.DNS,
    "twisted.TCPTimedOutError": Category.TIMEOUT,
    "twisted.TimeoutError": Category.TIMEOUT,
    "twisted.UnknownHostError": Category.DNS,
    "twisted.VerifyError": Category.NETWORK,
    # HTTP in Twisted
    "twisted.BadHeaders": Category.NETWORK,
    "twisted.ParseError": Category.NETWORK,
    "twisted.PartialDownloadError": Category.TRUNCATED,
    "twisted.PotentialDataLoss": Category.TRUNCATED,
    "twisted.RequestNotSent": Category.NETWORK,
    "twisted.RequestTransmissionFailed": Category.NETWORK,
    "twisted.ResponseFailed": Category.NETWORK,
    "twisted._DataLoss": Category.TRUNCATED,
    # Standard library and TLS
    "OpenSSL.Error": Category.NETWORK,
    "asyncio.IncompleteReadError": Category.TRUNCATED,
    "builtins.ConnectionError": Category.NETWORK,
    "builtins.TimeoutError": Category.TIMEOUT,
    "builtins.UnicodeDecodeError": Category.BAD_CONTENT,
    "gzip.BadGzipFile": Category.BAD_CONTENT,
    "http.HTTPException": Category.NETWORK,
    "http.IncompleteRead": Category.TRUNCATED,
    "json.JSONDecodeError": Category.BAD_CONTENT,
    "socket.gaierror": Category.DNS,
    "socket.herror": Category.DNS,
    "ssl.SSLError": Category.NETWORK,
    "zlib.error": Category.BAD_CONTENT,
    # Playwright
    "playwright.Error": Category.NETWORK,
    "playwright.TimeoutError": Category.TIMEOUT,
    # Other HTTP clients our libraries use
    "aiohttp.ClientConnectionError": Category.NETWORK,
    "aiohttp.ClientConnectorDNSError": Category.DNS,
    "aiohttp.ClientPayloadError": Category.TRUNCATED,
    "aiohttp.ServerTimeoutError": Category.TIMEOUT,
    "requests.ChunkedEncodingError": Category.TRUNCATED,
    "requests.ConnectTimeout": Category.TIMEOUT,
    "requests.ConnectionError": Category.NETWORK,
    "requests.ContentDecodingError": Category.BAD_CONTENT,
    "requests.Timeout": Category.TIMEOUT,
    # Ours
    "n8n_scraper.NotFoundPage": Category.NOT_FOUND,
    "n8n_scraper.PrivateAddress": Category.PRIVATE_ADDRESS,
    "n8n_scraper.UnreadableAnswer": Category.BAD_CONTENT,
}
"""What an exception type says, looked up along its bases: top-level package and class name.

By name, so that neither a reactor nor Playwright is ever imported to ask the question.
"""

UNREACHABLE = frozenset(
    {errno.ENETDOWN, errno.ENETUNREACH, errno.ENETRESET, errno.EHOSTDOWN, errno.EHOSTUNREACH}
)
"""Plain OSErrors that mean the network; any other (a full disk) says nothing about a site."""

DEPTH = 5
"""How many exceptions inside one another are looked at."""

_ILL = frozenset(
    {
        Category.NETWORK,
        Category.TIMEOUT,
        Category.DNS,
        Category.RATE_LIMITED,
        Category.SERVER_ERROR,
        Category.TRUNCATED,
    }
)
_SILENT = _ILL | {Category.UNKNOWN}


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


def speaks_of_health(category: Category | None) -> bool:
    """Tell whether this failure says that the site is ill, so that a circuit counts it.

    Network, time-out, DNS, 5xx, 429 and an answer cut short do. A 404, a refusal, a challenge
    page, content we cannot read, our own refusals and our own errors do not.
    """
    return category in _ILL


def answered(category: Category | None) -> bool:
    """Tell whether the site gave a whole answer, liked or not: a sign of life for a circuit.

    Neither this nor `speaks_of_health` holds for `unknown`, where nothing was learnt about the
    site.
    """
    return category not in _SILENT


def _of_status(status: int) -> Category | None:
    if 100 <= status < 400:
        return None
    if 500 <= status < 600:
        return Category.SERVER_ERROR
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
    for base in cls.__mro__:
        package = str(base.__module__).partition(".")[0]
        if category := EXCEPTIONS.get(f"{package}.{base.__name__}"):
            return category
    return None


def _inside(exception: BaseException) -> Iterator[BaseException]:
    """Yield what an exception wraps: Twisted's list of failures, and its cause."""
    reasons = getattr(exception, "reasons", None)
    for reason in reasons if isinstance(reasons, list | tuple) else ():
        inner = getattr(reason, "value", reason)
        if isinstance(inner, BaseException):
            yield inner
    if exception.__cause__ is not None:
        yield exception.__cause__

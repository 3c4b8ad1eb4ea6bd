"""One name for each kind of failure."""

# mypy: disable-error-code="no-untyped-call, attr-defined"

from __future__ import annotations

import ast
import asyncio
import copy
import errno
import gzip
import json
import socket
import ssl
import subprocess
import sys
import zlib
from pathlib import Path
from types import ModuleType

import aiohttp
import playwright._impl._errors as playwright_errors
import pytest
import requests
import scrapy.exceptions
import twisted.internet.defer
import twisted.internet.error
import twisted.names.error
import twisted.web._newclient
import twisted.web.client
import twisted.web.error
from hypothesis import given
from hypothesis import strategies as st
from scrapy.core.downloader.handlers.http11 import TunnelError
from twisted.python.failure import Failure

from n8n_scraper.policies.failure import category as category_module
from n8n_scraper.policies.failure.body import BodyFacts
from n8n_scraper.policies.failure.category import (
    EXCEPTIONS,
    NOT_THERE,
    REFUSALS,
    STATUS,
    Category,
    answered,
    classify,
    speaks_of_health,
)

tx = twisted.internet.error
web = twisted.web._newclient


@pytest.mark.parametrize(
    ("status", "category"),
    [
        (200, None),
        (204, None),
        (301, None),
        (304, None),
        (400, Category.UNKNOWN),
        (401, Category.AUTH),
        (402, Category.UNKNOWN),
        (403, Category.FORBIDDEN),
        (404, Category.NOT_FOUND),
        (405, Category.UNKNOWN),
        (407, Category.PROXY),
        (408, Category.TIMEOUT),
        (410, Category.GONE),
        (418, Category.UNKNOWN),
        (429, Category.RATE_LIMITED),
        (451, Category.FORBIDDEN),
        (500, Category.SERVER_ERROR),
        (501, Category.SERVER_ERROR),
        (502, Category.SERVER_ERROR),
        (503, Category.SERVER_ERROR),
        (504, Category.SERVER_ERROR),
        (520, Category.SERVER_ERROR),  # Cloudflare's own, up to
        (524, Category.SERVER_ERROR),
        (530, Category.SERVER_ERROR),
        (599, Category.SERVER_ERROR),
        (0, Category.UNKNOWN),  # no HTTP status at all
        (-1, Category.UNKNOWN),
        (600, Category.UNKNOWN),
        (999, Category.UNKNOWN),
    ],
)
def test_what_a_status_says(status: int, category: Category | None) -> None:
    assert classify(status=status) is category


def wrapped(*inner: Exception) -> list[Failure]:
    return [Failure(exception) for exception in inner]


def caused(exception: Exception, cause: Exception) -> Exception:
    exception.__cause__ = cause
    return exception


@pytest.mark.parametrize(
    ("exception", "category"),
    [
        # what Scrapy's handlers raise
        (scrapy.exceptions.DownloadTimeoutError(), Category.TIMEOUT),
        (scrapy.exceptions.DownloadConnectionRefusedError(), Category.NETWORK),
        (scrapy.exceptions.CannotResolveHostError(), Category.DNS),
        (scrapy.exceptions.DownloadFailedError(), Category.NETWORK),
        (scrapy.exceptions.ResponseDataLossError(), Category.TRUNCATED),
        (TunnelError(), Category.NETWORK),
        # our own decisions, and no failures of the site
        (scrapy.exceptions.IgnoreRequest(), Category.FORBIDDEN),  # robots.txt
        (scrapy.exceptions.DownloadCancelledError(), Category.TOO_LARGE),
        (scrapy.exceptions.UnsupportedURLSchemeError(), Category.UNKNOWN),
        # Twisted
        (tx.TimeoutError(), Category.TIMEOUT),
        (tx.TCPTimedOutError(), Category.TIMEOUT),
        (twisted.internet.defer.TimeoutError(), Category.TIMEOUT),
        (tx.DNSLookupError(), Category.DNS),
        (tx.UnknownHostError(), Category.DNS),
        (twisted.names.error.DNSNameError(), Category.DNS),
        (tx.ConnectionRefusedError(), Category.NETWORK),
        (tx.ConnectionLost(), Category.NETWORK),
        (tx.ConnectionDone(), Category.NETWORK),
        (tx.NoRouteError(), Category.NETWORK),
        (tx.SSLError(), Category.NETWORK),
        (web.ResponseFailed([]), Category.NETWORK),
        (web.ResponseFailed(["no failure at all"]), Category.NETWORK),
        (web.ResponseNeverReceived(wrapped(tx.ConnectionLost())), Category.NETWORK),
        (web.ParseError("bad status line", b""), Category.NETWORK),
        (web.PotentialDataLoss(), Category.TRUNCATED),
        (web._DataLoss(), Category.TRUNCATED),
        (twisted.web.client.PartialDownloadError(200), Category.TRUNCATED),
        (twisted.internet.defer.CancelledError(), Category.UNKNOWN),
        # a wrapper says what is inside it
        (web.ResponseFailed(wrapped(web._DataLoss())), Category.TRUNCATED),
        (web.ResponseNeverReceived(wrapped(tx.TimeoutError())), Category.TIMEOUT),
        (caused(scrapy.exceptions.DownloadFailedError(), TimeoutError()), Category.TIMEOUT),
        (caused(scrapy.exceptions.DownloadFailedError(), KeyError()), Category.NETWORK),
        # but an exception of ours stays ours, whatever caused it
        (caused(RuntimeError(), ConnectionResetError()), Category.UNKNOWN),
        # the standard library
        (TimeoutError(), Category.TIMEOUT),
        (asyncio.TimeoutError(), Category.TIMEOUT),  # noqa: UP041 - the name others use
        (ConnectionResetError(), Category.NETWORK),
        (BrokenPipeError(), Category.NETWORK),
        (socket.gaierror(-2, "Name or service not known"), Category.DNS),
        (ssl.SSLError(), Category.NETWORK),
        (ssl.SSLCertVerificationError(), Category.NETWORK),
        (asyncio.IncompleteReadError(b"", 5), Category.TRUNCATED),
        (OSError(errno.ENETUNREACH, "Network is unreachable"), Category.NETWORK),
        (OSError(errno.ETIMEDOUT, "Connection timed out"), Category.TIMEOUT),
        (OSError(errno.ENOSPC, "No space left on device"), Category.UNKNOWN),  # our disk
        (FileNotFoundError(), Category.UNKNOWN),
        (gzip.BadGzipFile(), Category.BAD_CONTENT),
        (zlib.error(), Category.BAD_CONTENT),
        (json.JSONDecodeError("", "", 0), Category.BAD_CONTENT),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, ""), Category.BAD_CONTENT),
        # the browser
        (playwright_errors.TimeoutError("Timeout 30000ms exceeded"), Category.TIMEOUT),
        (playwright_errors.TargetClosedError(), Category.NETWORK),
        (playwright_errors.Error("net::ERR_CONNECTION_RESET"), Category.NETWORK),
        # other clients
        (aiohttp.ServerTimeoutError(), Category.TIMEOUT),
        (aiohttp.ServerDisconnectedError(), Category.NETWORK),
        (aiohttp.ClientPayloadError(), Category.TRUNCATED),
        (requests.ReadTimeout(), Category.TIMEOUT),
        (requests.ConnectTimeout(), Category.TIMEOUT),
        (requests.ConnectionError(), Category.NETWORK),
        # words in a message decide nothing
        (ValueError("404 timeout 429 captcha"), Category.UNKNOWN),
        (KeyboardInterrupt(), Category.UNKNOWN),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else str(value),
)
def test_what_an_exception_says(exception: BaseException, category: Category) -> None:
    assert classify(exception=exception) is category


def test_exceptions_that_wrap_each_other_in_a_circle_come_to_an_end() -> None:
    first, second = tx.ConnectionLost(), tx.ConnectionDone()
    first.__cause__, second.__cause__ = second, first

    assert classify(exception=first) is Category.NETWORK


@pytest.mark.parametrize(
    ("facts", "category"),
    [
        (BodyFacts(), None),
        (BodyFacts(empty=True), Category.BAD_CONTENT),
        (BodyFacts(undecodable=True), Category.BAD_CONTENT),
        (BodyFacts(not_json=True), Category.BAD_CONTENT),
        (BodyFacts(not_xml=True), Category.BAD_CONTENT),
        (BodyFacts(truncated=True), Category.TRUNCATED),
        (BodyFacts(truncated=True, empty=True), Category.TRUNCATED),
        (BodyFacts(challenge=True), Category.BLOCKED),
    ],
)
def test_what_a_body_says_when_the_status_is_fine(
    facts: BodyFacts, category: Category | None
) -> None:
    assert classify(status=200, body=facts) is category
    assert classify(body=facts) is category


@pytest.mark.parametrize(
    ("status", "facts", "category"),
    [
        (403, BodyFacts(challenge=True), Category.BLOCKED),  # a wall comes with any status
        (429, BodyFacts(challenge=True), Category.BLOCKED),
        (503, BodyFacts(challenge=True), Category.BLOCKED),
        (404, BodyFacts(not_json=True), Category.NOT_FOUND),  # an error page is never JSON
        (502, BodyFacts(truncated=True), Category.SERVER_ERROR),
        (204, BodyFacts(empty=True), None),  # nothing is what was meant
        (304, BodyFacts(empty=True), None),
    ],
)
def test_status_and_body_together(status: int, facts: BodyFacts, category: Category | None) -> None:
    assert classify(status=status, body=facts) is category


def test_an_exception_speaks_before_the_status_unless_it_says_nothing() -> None:
    assert classify(status=200, exception=TimeoutError()) is Category.TIMEOUT
    assert classify(status=404, exception=ValueError()) is Category.NOT_FOUND
    assert classify(status=200, exception=ValueError()) is Category.UNKNOWN


def test_nothing_known_is_nothing_wrong() -> None:
    assert classify() is None


@pytest.mark.parametrize("category", [None, *Category])
def test_only_what_speaks_of_the_site_s_health_counts_against_it(
    category: Category | None,
) -> None:
    ill = {"network", "timeout", "dns", "rate_limited", "server_error", "truncated"}
    nothing_learnt = {"unknown", "proxy", "tool"}

    assert speaks_of_health(category) == (category in ill)
    assert answered(category) == (category not in ill | nothing_learnt)


# --- for everything there is ------------------------------------------------------------------

MODULES = [
    scrapy.exceptions,
    twisted.internet.error,
    twisted.internet.defer,
    twisted.names.error,
    twisted.web._newclient,
    twisted.web.client,
    twisted.web.error,
    playwright_errors,
    asyncio.exceptions,
    socket,
    ssl,
    aiohttp.client_exceptions,
    requests.exceptions,
]


def exception_types(module: ModuleType) -> list[type[BaseException]]:
    # By the module's own dictionary: reading Twisted's deprecated names would warn.
    members = vars(module).values()
    return [each for each in members if isinstance(each, type) and issubclass(each, BaseException)]


EVERY_TYPE = sorted({cls for module in MODULES for cls in exception_types(module)}, key=str)


@given(status=st.one_of(st.none(), st.integers()), data=st.data())
def test_every_status_and_every_exception_has_an_answer(
    status: int | None, data: st.DataObject
) -> None:
    cls: type[BaseException] = data.draw(st.sampled_from(EVERY_TYPE))
    exception = cls.__new__(cls)

    category = classify(status=status, exception=exception)

    assert isinstance(category, Category)


@given(status=st.integers())
def test_every_status_alone_has_an_answer(status: int) -> None:
    assert classify(status=status) is None or status < 100 or status >= 400


def test_every_name_in_the_table_is_a_type_that_exists() -> None:
    known = {"OpenSSL.Error", "n8n_scraper.CircuitOpen"}  # optional, and defined elsewhere
    types: set[type[BaseException]] = {*EVERY_TYPE, *BaseException.__subclasses__(), TunnelError}
    frontier = list(types)
    while frontier:
        for cls in frontier.pop().__subclasses__():
            if cls not in types:
                types.add(cls)
                frontier.append(cls)
    names = {f"{cls.__module__.partition('.')[0]}.{cls.__name__}" for cls in types}

    missing = {name for name in EXCEPTIONS if not name.startswith("n8n_scraper.")} - names - known

    assert not missing


def test_classifying_needs_neither_a_reactor_nor_a_browser() -> None:
    code = (
        "import sys; from n8n_scraper.policies.failure import category, retry; "
        "category.classify(exception=TimeoutError()); "
        "sys.exit(any(name.partition('.')[0] in ('twisted', 'scrapy', 'playwright')"
        " for name in sys.modules))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("category", Category)
def test_a_category_is_found_by_its_name_and_knows_its_row(category: Category) -> None:
    assert copy.deepcopy(category) is category
    assert {STATUS[status] for status in category.traits.statuses} <= {category}
    assert {EXCEPTIONS[name] for name in category.traits.exceptions} <= {category}


def test_a_status_or_an_exception_stands_in_one_row() -> None:
    statuses = [status for one in Category for status in one.traits.statuses]
    exceptions = [name for one in Category for name in one.traits.exceptions]

    assert len(statuses) == len(set(statuses))
    assert len(exceptions) == len(set(exceptions))


def test_a_refusal_or_an_absence_is_known_by_its_stored_name() -> None:
    assert {"auth", "forbidden", "blocked"} == REFUSALS
    assert {"not_found", "gone"} == NOT_THERE


def test_a_new_kind_of_failure_is_one_row_because_nothing_else_lists_categories() -> None:
    package = Path(category_module.__file__).parents[2]
    elsewhere = set(package.rglob("*.py")) - {Path(category_module.__file__)}
    stand_ins = set((package / "testing").rglob("*.py"))  # their words say what they do, not we

    assert [path for path in elsewhere - stand_ins if lists_in(path.read_text())] == []


@pytest.mark.parametrize(
    "code",
    ['("auth", "forbidden")', "{Category.DNS, Category.NETWORK}", '{Category.AUTH: 1, "gone": 2}'],
)
def test_a_list_of_categories_is_found_however_it_is_written(code: str) -> None:
    assert lists_in(code) == [1]


def lists_in(code: str) -> list[int]:
    """Give the lines where two or more categories are listed."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict)
        if sum(map(is_category, node.keys if isinstance(node, ast.Dict) else node.elts)) > 1
    ]


def is_category(node: ast.expr | None) -> bool:
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id == "Category"
    return isinstance(node, ast.Constant) and node.value in list(Category)

"""Whose fault it is that no answer came."""

from __future__ import annotations

import ssl

import pytest
import scrapy.exceptions
import twisted.internet.error as tx
import twisted.web._newclient as web
from OpenSSL import SSL
from scrapy.core.downloader.handlers.http11 import TunnelError
from service_identity.exceptions import VerificationError
from twisted.python.failure import Failure

from n8n_scraper.policies.proxies.fault import WORDS, Fault, fault_of, fault_of_page


def broke_off(*inner: Exception) -> Exception:
    """What Scrapy raises when a line broke before the answer."""
    failed = scrapy.exceptions.DownloadFailedError()
    failed.__cause__ = web.ResponseNeverReceived([Failure(one) for one in inner])
    return failed


def timed_out_while_connecting() -> Exception:
    failed = scrapy.exceptions.DownloadTimeoutError()
    failed.__cause__ = tx.TimeoutError()
    return failed


@pytest.mark.parametrize(
    ("exception", "fault"),
    [
        (scrapy.exceptions.DownloadConnectionRefusedError(), Fault.ABSENT),
        (scrapy.exceptions.CannotResolveHostError(), Fault.ABSENT),  # the proxy's own name
        (tx.NoRouteError(), Fault.ABSENT),
        (tx.TCPTimedOutError(), Fault.ABSENT),
        (timed_out_while_connecting(), Fault.ABSENT),
        (scrapy.exceptions.DownloadTimeoutError(), Fault.SILENT),
        (TunnelError("no words"), Fault.REFUSED),
        (broke_off(SSL.Error([("SSL routines", "", "wrong version number")])), Fault.FOREIGN),
        (broke_off(VerificationError(errors=[])), Fault.FOREIGN),
        (broke_off(tx.ConnectionLost()), Fault.BROKEN),
        (broke_off(tx.ConnectionDone()), Fault.BROKEN),
        (ssl.SSLCertVerificationError(), Fault.FOREIGN),
        (ConnectionResetError(), Fault.BROKEN),
    ],
)
def test_what_came_in_the_place_of_an_answer(exception: Exception, fault: Fault) -> None:
    assert fault_of(exception) is fault


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        (407, Fault.LOCKED),
        (401, Fault.LOCKED),  # what tinyproxy says
        (403, Fault.REFUSED),
        (500, Fault.REFUSED),
        (503, Fault.REFUSED),
        (None, Fault.REFUSED),
    ],
)
def test_a_tunnel_that_was_not_opened_is_the_proxys_fault(status: int | None, fault: Fault) -> None:
    assert fault_of(TunnelError("Could not open"), status) is fault


@pytest.mark.parametrize(
    "exception",
    [
        scrapy.exceptions.ResponseDataLossError(),  # the site's answer had begun
        scrapy.exceptions.DownloadCancelledError(),  # our own bound
        scrapy.exceptions.IgnoreRequest(),
        ValueError(),
        RuntimeError(),
    ],
)
def test_what_is_no_matter_of_the_way_is_nobodys_fault(exception: Exception) -> None:
    assert fault_of(exception) is None


@pytest.mark.parametrize(
    ("status", "headers", "fault"),
    [
        (407, {}, Fault.LOCKED),
        (401, {"server": "tinyproxy/1.11.1"}, Fault.LOCKED),
        (500, {"server": "tinyproxy/1.11.1"}, Fault.OWN_PAGE),
        (503, {"x-squid-error": "ERR_CONNECT_FAIL 111"}, Fault.OWN_PAGE),
        (502, {"proxy-status": "proxy.example; error=connection_refused"}, Fault.OWN_PAGE),
        # What a site answered, and a proxy has passed on
        (200, {"via": "1.1 squid.example (squid/5.7)", "server": "nginx"}, None),
        (401, {"server": "nginx"}, None),
        (403, {"via": "1.1 vm (tinyproxy/1.11.1)"}, None),
        (503, {"proxy-status": "proxy.example; received-status=503"}, None),
    ],
)
def test_over_plain_http_a_page_is_the_proxys_where_the_proxy_says_so(
    status: int, headers: dict[str, str], fault: Fault | None
) -> None:
    assert fault_of_page(status, headers) is fault


def test_only_what_lies_before_the_site_is_certain() -> None:
    assert {fault for fault in Fault if fault.is_certain} == {Fault.ABSENT, Fault.LOCKED}


def test_each_fault_has_words() -> None:
    assert WORDS.keys() == {*Fault}
    assert all(WORDS.values())

"""A proxy is tried on a page of our own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from n8n_scraper.crawl.proxy_check import try_proxies
from n8n_scraper.policies.proxies.fault import Fault
from n8n_scraper.policies.proxies.proxy import Proxy, read_proxy
from n8n_scraper.testing.bad_proxies import Kind, bad_proxy
from n8n_scraper.testing.hostile_site import Says, hostile_site
from n8n_scraper.testing.tls import Authority, secure_site
from tests.real_proxies import running

FAULTS = {
    Kind.DEAD: Fault.ABSENT,
    Kind.MUTE: Fault.SILENT,
    Kind.LOCKED: Fault.LOCKED,
    Kind.ECHOING: Fault.LOCKED,
    Kind.REFUSING: Fault.REFUSED,
    Kind.INJECTING: Fault.FOREIGN,
    Kind.INTERCEPTING: Fault.FOREIGN,
    Kind.CUTTING: Fault.BROKEN,
}


@pytest.fixture(scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page of our own, behind TLS that we believe in."""
    authority = Authority(tmp_path_factory.mktemp("authority"))
    with (
        pytest.MonkeyPatch.context() as patch,
        hostile_site({"/here": Says(b"alive")}) as plain,
        secure_site(plain.port, authority.context()) as site,
    ):
        patch.setenv("SSL_CERT_FILE", str(authority.file))
        yield f"{site.url}/here"


def tried(url: str, canary: str, *, patience: float = 20.0, verified: bool = True) -> Fault | None:
    (trial,) = asyncio.run(
        try_proxies([read_proxy(url, "here")], canary, patience_seconds=patience, verified=verified)
    )
    return trial.fault


@pytest.mark.parametrize("kind", Kind)
def test_a_proxy_that_fails_is_told_by_what_it_does(
    kind: Kind, canary: str, tmp_path: Path
) -> None:
    strange = Authority(tmp_path, "nobody knows").context()
    patience = 0.3 if kind is Kind.MUTE else 20.0

    with bad_proxy(kind, strange) as proxy:
        assert tried(proxy.url, canary, patience=patience) is FAULTS[kind]


def test_an_interceptor_passes_only_where_nothing_has_to_be_proven(
    canary: str, tmp_path: Path
) -> None:
    with bad_proxy(Kind.INTERCEPTING, Authority(tmp_path).context()) as proxy:
        assert tried(proxy.url, canary, verified=False) is None


@pytest.mark.parametrize("program", ["tinyproxy", "squid"])
def test_a_real_proxy_works_with_its_credentials_alone(program: str, canary: str) -> None:
    with running(program, "me", "s3cret") as proxy:
        assert tried(proxy.with_password("me", "s3cret"), canary) is None
        assert tried(proxy.with_password("me", "other"), canary) is Fault.LOCKED
        assert tried(proxy.url, canary) is Fault.LOCKED


def test_many_are_tried_and_each_gets_its_own_verdict(canary: str) -> None:
    with bad_proxy(Kind.REFUSING) as refusing, bad_proxy(Kind.DEAD) as dead:
        proxies = [Proxy("127.0.0.1", port) for port in (refusing.port, dead.port) * 15]

        trials = asyncio.run(try_proxies(proxies, canary))

    assert [one.proxy for one in trials] == proxies
    assert [one.fault for one in trials] == [Fault.REFUSED, Fault.ABSENT] * 15

"""Names the one domain whose hosts share a bucket, a circuit and the server's word."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tldextract import TLDExtract

_SCHEME = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)


@lru_cache(maxsize=4096)
def registrable_domain(url_or_host: str) -> str:
    """Give `n8n.io` for `https://api.n8n.io/x`; an IP address or bare name stands for itself.

    Ports, credentials, letter case and a trailing dot make no difference. A host without a
    known public suffix (`localhost`, `mock`, `10.0.0.7`, `[::1]`) is its own domain.
    Text without any host gives an empty string.
    """
    host = _host(url_or_host)
    if _is_address(host):
        return host
    return _suffixes()(host).top_domain_under_public_suffix or host


@cache
def _suffixes() -> TLDExtract:
    """Give the list that ships with its package.

    No network and no cache file, so the same URL gets the same answer on every machine and on
    every day. Its package brings a whole HTTP client with it, and a command that names no host
    does not wait for that.
    """
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None)


def _host(url_or_host: str) -> str:
    text = url_or_host.strip()
    if _is_ipv6(text):
        return text.lower()
    if scheme := _SCHEME.match(text):
        text = text[scheme.end() :]
    for end in "/?#\\":
        text = text.partition(end)[0]
    text = text.rpartition("@")[2]
    if text.startswith("["):
        return text[1:].partition("]")[0].lower()
    return text.partition(":")[0].rstrip(".").lower()


def _is_address(host: str) -> bool:
    try:
        IPv4Address(host)
    except AddressValueError:
        return _is_ipv6(host)
    return True


def _is_ipv6(host: str) -> bool:
    try:
        IPv6Address(host)
    except AddressValueError:
        return False
    return True

"""Decides which network addresses may be asked: public ones, and those the operator has named.

An address out of content (a picture, a redirect) is written by strangers. What it resolves to is
judged at the moment of connecting, so neither a spelling nor a change of the name in between helps.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from n8n_scraper.policies.safety.origin import host_name, origin_of

# For protocols, not for hosts; not every Python counts all of it as private.
_PROTOCOLS = IPv4Network("192.0.0.0/24")
# Where 6to4 relays stood; whoever announces it now decides where its traffic goes.
_RELAYS = IPv4Network("192.88.99.0/24")
_NAT64 = IPv6Network("64:ff9b::/96")
_LOCAL_NAMES = ("localhost", "local", "internal", "home.arpa")


def is_public(address: str) -> bool:
    """Tell whether an IP address is one of the open internet, however it is wrapped."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and (inner := _inside(found)):
        return all(map(_is_open, inner))
    return _is_open(found)


def is_private_host(host: str) -> bool:
    """Tell whether a host is private by its spelling alone, before anybody resolves it."""
    name = host.strip("[]").rstrip(".").lower()
    address = _spelled(name)
    if address is not None:
        return not is_public(address)
    return name in _LOCAL_NAMES or name.endswith(tuple(f".{local}" for local in _LOCAL_NAMES))


def is_this_machine(host: str) -> bool:
    """Tell whether what is sent to a host never leaves the machine, by its spelling alone."""
    name = host.strip("[]").rstrip(".").lower()
    address = _spelled(name)
    return name == "localhost" if address is None else ip_address(address).is_loopback


class NetworkGuard:
    """Knows the hosts that the operator has named, and refuses every other private one.

    `own=None` refuses nothing: then all addresses are the operator's.
    """

    def __init__(self, own: Iterable[str] | None) -> None:
        self._own: set[tuple[str, int]] | None = None if own is None else set()
        self._refused: dict[tuple[str, int], str] = {}
        for url in own or ():
            self.trust(url)

    def trust(self, url: str) -> None:
        """Let the host of this address be asked, wherever it is."""
        if self._own is not None and (door := _door(url)):
            self._own.add(door)

    def admits(self, host: str, port: int, address: str) -> bool:
        """Tell whether a connection to what a host resolves to may be made; note a refusal."""
        door = host_name(host), port
        if self._own is None or door in self._own or is_public(address):
            return True
        self._refused[door] = address
        return False

    def refuses(self, url: str) -> bool:
        """Tell whether an address is private by its spelling alone, and not the operator's."""
        door = _door(url)
        if self._own is None or door in self._own:
            return False
        return door is None or is_private_host(door[0])

    def refusal(self, url: str) -> str | None:
        """Take out which address of a host was refused, if it was."""
        door = _door(url)
        return self._refused.pop(door, None) if door else None


def _is_open(address: IPv4Address | IPv6Address) -> bool:
    closed = (
        address.is_multicast
        or address.is_reserved
        or address.is_loopback
        or address.is_link_local
        or address.is_unspecified
        or address in _PROTOCOLS
        or address in _RELAYS
        or (isinstance(address, IPv6Address) and address.is_site_local)
    )
    return address.is_global and not closed


def _inside(address: IPv6Address) -> list[IPv4Address]:
    """The IPv4 addresses to which this one leads, by whatever way of wrapping them."""
    wrapped = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64:
        wrapped.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return [one for one in wrapped if one is not None]


def _spelled(name: str) -> str | None:
    """The address that a spelling such as `127.1` or `0x7f.1` stands for; None for a name."""
    try:
        return str(ip_address(name))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(name))
    except (OSError, ValueError):
        return None


def _door(url: str) -> tuple[str, int] | None:
    """Host and port of an address: what a look-up of a name knows of it."""
    origin = origin_of(url)
    return (origin.host, origin.port) if origin else None

"""Only what is on the open internet may be asked, besides what the operator has named."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.safety.private_network import (
    NetworkGuard,
    is_private_host,
    is_public,
    is_this_machine,
)

PRIVATE = [
    *("127.0.0.1", "127.255.255.254", "0.0.0.1", "0.1.2.3", "10.0.0.1", "172.16.0.1"),
    *("192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.8", "198.18.0.1", "192.88.99.1"),
    *("224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255", "192.0.2.1"),
    *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "2002:7f00:1::", "64:ff9b::a00:1"),
    "2001:db8::1",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_of_a_private_network_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["1.1.1.1", "104.26.12.38", "2606:4700::1", "::ffff:1.1.1.1", "64:ff9b::101:101"],
)
def test_an_address_of_the_open_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "127.1", "0x7f.0.0.1", "0x7f.1", "0177.0.0.1", "0.0", "0", "2130706433"),
        *("localhost", "LOCALHOST.", "a.localhost", "printer.local", "metadata.google.internal"),
        *("[::1]", "[::ffff:7f00:1]", "169.254.169.254", "10.1"),
    ],
)
def test_a_private_host_is_known_by_every_spelling(host: str) -> None:
    assert is_private_host(host)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "0x7f.1", "[::1]", "LocalHost."])
def test_this_machine_is_known_by_every_spelling(host: str) -> None:
    assert is_this_machine(host)


@pytest.mark.parametrize("host", ["", "10.0.0.1", "0.0.0.0", "n8n.io", "a.localhost", "1.1.1.1"])  # noqa: S104
def test_whatever_may_lie_outside_is_not_this_machine(host: str) -> None:
    assert not is_this_machine(host)


@pytest.mark.parametrize("host", ["n8n.io", "1.1.1.1", "localhost.example", "10.example", "1.1"])
def test_any_other_host_is_judged_when_it_is_resolved(host: str) -> None:
    assert not is_private_host(host)


def test_the_operators_own_host_is_admitted_wherever_it_is() -> None:
    guard = NetworkGuard(["http://127.0.0.1:8808", "https://Intranet.Example/"])

    assert guard.admits("127.0.0.1", 8808, "127.0.0.1")
    assert guard.admits("intranet.example", 443, "10.0.0.7")
    assert not guard.refuses("http://127.0.0.1:8808/a.png")


def test_another_port_or_name_of_it_is_not() -> None:
    guard = NetworkGuard(["http://127.0.0.1:8808"])

    assert not guard.admits("127.0.0.1", 6379, "127.0.0.1")
    assert not guard.admits("rebound.example", 8808, "127.0.0.1")
    assert guard.refuses("http://127.0.0.1:6379/")
    assert guard.refuses("http://127.1:8808/")
    assert not guard.refuses("http://rebound.example:8808/")  # only its address shows it


def test_a_refusal_is_told_once() -> None:
    guard = NetworkGuard([])

    guard.admits("rebound.example", 80, "10.0.0.1")

    assert guard.refusal("http://rebound.example/a.png") == "10.0.0.1"
    assert guard.refusal("http://rebound.example/a.png") is None


def test_a_name_in_letters_and_in_punycode_is_one_name() -> None:
    guard = NetworkGuard(["http://bücher.example"])

    assert guard.admits("xn--bcher-kva.example", 80, "10.0.0.1")


def test_a_trusted_proxy_may_stand_on_a_private_address() -> None:
    guard = NetworkGuard([])

    guard.trust("http://user:word@10.0.0.5:3128")

    assert guard.admits("10.0.0.5", 3128, "10.0.0.5")


def test_a_guard_without_own_hosts_refuses_nothing() -> None:
    assert NetworkGuard(None).admits("localhost", 80, "127.0.0.1")
    assert not NetworkGuard(None).refuses("http://localhost/")


@given(st.ip_addresses(v=4))
def test_wrapping_an_address_does_not_change_what_it_is(address: ipaddress.IPv4Address) -> None:
    assert is_public(f"::ffff:{address}") == is_public(str(address))


@given(st.text(), st.integers(), st.text())
def test_whatever_text_is_judged_without_an_error(host: str, port: int, address: str) -> None:
    guard = NetworkGuard([host])

    guard.admits(host, port, address)
    guard.refuses(host)
    guard.refusal(host)

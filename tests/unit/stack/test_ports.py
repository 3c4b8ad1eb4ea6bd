"""Ports of this machine, and which process has them."""

import os
import socket

import pytest

from n8n_scraper.stack.ports import holder, is_taken
from n8n_scraper.testing.postgres import free_port


def test_a_free_port_is_not_taken() -> None:
    assert not is_taken("127.0.0.1", free_port())


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_port_on_which_a_process_listens_is_taken_and_the_process_named(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as listener:
        try:
            listener.bind((host, 0))
        except OSError:
            pytest.skip(f"there is no {host} here")
        listener.listen()
        port = listener.getsockname()[1]

        assert is_taken(host, port)
        assert holder(port).startswith(f"process {os.getpid()} (")


def test_of_a_port_that_is_free_no_process_is_named() -> None:
    assert holder(free_port()) == "a process of another user"

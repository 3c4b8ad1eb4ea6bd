"""A request that cannot have done anything, and one that only has no answer."""

import socket

import pytest
import requests

from n8n_scraper.policies.failure.never_began import never_began


def test_where_nobody_listens_nothing_began() -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{one.getsockname()[1]}/"

        with pytest.raises(requests.ConnectionError) as raised:
            requests.post(url, timeout=5)

    assert never_began(raised.value)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (requests.ConnectTimeout(), True),
        (requests.exceptions.SSLError(), True),
        (requests.ReadTimeout(), False),
        (requests.ConnectionError(OSError("reset by peer")), False),
        (requests.exceptions.ChunkedEncodingError(), False),
    ],
)
def test_who_has_been_heard_may_have_done_it(error: Exception, expected: bool) -> None:
    assert never_began(error) is expected

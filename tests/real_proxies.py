"""The proxies that people run, where they are installed; CI has to have them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from n8n_scraper.testing import real_proxies
from n8n_scraper.testing.real_proxies import NoProxyProgram, RealProxy


@contextmanager
def running(
    program: str, user: str = "", password: str = "", *, port: int = 0
) -> Iterator[RealProxy]:
    """Run `tinyproxy` or `squid` until the block ends, or skip the test with one line."""
    try:
        with getattr(real_proxies, program)(user, password, port=port) as proxy:
            yield proxy
    except NoProxyProgram as reason:
        if os.environ.get("CI"):
            pytest.fail(f"In CI nothing may be skipped: {reason}")
        pytest.skip(f"SKIPPED WITHOUT {program.upper()}: {reason}")

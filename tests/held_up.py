"""End this process where a test that failed cannot be left: what it holds then waits for ever.

With a failure pytest and pytest-timeout stop their watches, for the sake of a debugger. The others
would go on, and the whole suite never end, without a word of which test it was.
"""

import faulthandler
import sys
from collections.abc import Generator

import pytest

SECONDS = 60


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Generator[None, object, object]:
    """Watch the end of every test."""
    faulthandler.dump_traceback_later(SECONDS, exit=True, file=sys.__stderr__)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()

"""End this process where a test that failed cannot be left: what it holds then waits for ever.

With a failure pytest and pytest-timeout stop their watches, for the sake of a debugger. The others
would go on, and the whole suite never end, without a word of which test it was.
"""

import faulthandler

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key

SECONDS = 60


@pytest.hookimpl(trylast=True)
def pytest_exception_interact(node: pytest.Item | pytest.Collector) -> None:
    """Watch the end of a test that failed, once the watches of others have ended."""
    if isinstance(node, pytest.Item):
        said_to = node.config.stash[fault_handler_stderr_fd_key]
        faulthandler.dump_traceback_later(SECONDS, exit=True, file=said_to)
        _watched.append(node.nodeid)


def pytest_runtest_logfinish() -> None:
    """Watch no longer: the test has been left."""
    if _watched:
        _watched.clear()
        faulthandler.cancel_dump_traceback_later()


_watched: list[str] = []

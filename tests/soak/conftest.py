"""What is killed again and again is a crawl as people have it."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def _as_usual(reads_as_usual: None) -> None:
    """Read answers in a process of its own, as everywhere but in the suite's small crawls."""

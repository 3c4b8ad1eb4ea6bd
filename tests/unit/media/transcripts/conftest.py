"""Fixtures of this folder."""

from collections.abc import Iterator

import pytest

from n8n_scraper.testing.video_host import RunningVideoHost, running_video_host


@pytest.fixture
def stand_in() -> Iterator[RunningVideoHost]:
    """A stand-in of the video host that answers as it should."""
    with running_video_host() as server:
        yield server

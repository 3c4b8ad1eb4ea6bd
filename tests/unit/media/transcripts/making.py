"""Make a video host that nobody waits for."""

from dataclasses import replace

from n8n_scraper.media.transcripts.options import TranscriptSettings
from n8n_scraper.media.transcripts.video_host import VideoHost
from n8n_scraper.policies.pace.circuit import CircuitLimits
from n8n_scraper.policies.pace.pace_store import MemoryPaceStore, PaceStore
from n8n_scraper.policies.pace.token_bucket import BucketLimits
from n8n_scraper.testing.clock import MovableClock
from n8n_scraper.testing.video_host import RunningVideoHost

VIDEO = "abcdefghijk"


def options(stand_in: RunningVideoHost, rate: float = 0, **changed: object) -> TranscriptSettings:
    """The stand-in's address, at no pace unless one is given."""
    circuit = CircuitLimits(failures=3, hold_seconds=60, hold_cap_seconds=600)
    asked = TranscriptSettings.from_settings({"VIDEO_HOST_URL": stand_in.url})
    given = {"limits": BucketLimits(rate, 1), "circuit": circuit}
    return replace(asked, **(given | changed))  # type: ignore[arg-type]


def video_host(
    stand_in: RunningVideoHost,
    time: MovableClock | None = None,
    rate: float = 0,
    store: PaceStore | None = None,
    **changed: object,
) -> VideoHost:
    """Our side of it, with both clocks in hand."""
    clock = time or MovableClock()
    chosen = options(stand_in, rate, **changed)
    kept_in = store or MemoryPaceStore(clock)
    return VideoHost(chosen, kept_in, clock=clock, wall_clock=clock, sleep=clock.sleep)

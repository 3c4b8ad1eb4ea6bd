"""Ask the video host at its own pace, and leave it alone when it blocks us."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from n8n_scraper.core.errors import ScraperError
from n8n_scraper.core.transcript import Transcript, TranscriptOutcome
from n8n_scraper.media.transcripts.library import Library
from n8n_scraper.media.transcripts.options import VIDEO_DOMAIN, TranscriptSettings
from n8n_scraper.media.transcripts.session import Conversation, open_session
from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.pace.circuit import Mode
from n8n_scraper.policies.pace.pace import Pace, PaceState
from n8n_scraper.policies.pace.server_word import retry_after

Clock = Callable[[], float]


class HostIsResting(ScraperError):
    """The host is left alone for now; the video stays pending."""


class Stopped(ScraperError):
    """We are to stop while a request was waiting for its turn; the video stays pending."""


class VideoHost:
    """The video host: a bucket that every HTTP request draws on, and a circuit for all videos.

    It belongs to one thread at a time; only `stop` may be called from anywhere. Its state is in
    wall-clock seconds, so that the next process, or another one, can go on from it.
    """

    def __init__(
        self,
        options: TranscriptSettings,
        *,
        clock: Clock = time.monotonic,
        wall_clock: Clock = time.time,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        self._options = options
        self._clock = clock
        self._wall_clock = wall_clock
        self._stopped = threading.Event()
        self._sleep = sleep or self._stopped.wait
        self._conversation = Conversation()
        session = open_session(self._take_token, self._conversation, options.stand_in)
        self._library = Library(session, self._conversation, options.languages, options.proxy)
        self.go_on_from(None)

    def go_on_from(self, state: PaceState | None) -> None:
        """Take over what was last noted of the host, by whichever process."""
        self._pace = Pace(
            VIDEO_DOMAIN,
            self._options.limits,
            self._options.circuit,
            state=state,
            now=self._clock(),
            now_wall=self._wall_clock(),
        )

    def state(self) -> PaceState:
        """Give what the next one has to know."""
        return self._pace.state(self._clock(), self._wall_clock())

    def rests_for(self) -> float:
        """The seconds that the host is still to be left alone."""
        now = self._clock()
        return max(self._pace.circuit.wait(now), self._pace.bucket.held(now))

    def refuses(self) -> bool:
        """Whether it rests because it has refused us, not because it did not answer."""
        return self._pace.circuit.reason == Category.RATE_LIMITED

    def fetch(self, video_id: str) -> Transcript:
        """Ask for a video; it takes the time that its requests have to wait."""
        if self.rests_for() > 0 or not self._pace.circuit.enter(self._clock()):
            raise HostIsResting(f"the video host is left alone for {self.rests_for():.0f} s more")
        transcript = self._library.ask(video_id)
        self._hear_retry_after()
        self._judge(transcript)
        return transcript

    def stop(self) -> None:
        """Let no further request go."""
        self._stopped.set()

    def _take_token(self) -> None:
        began = now = self._clock()
        while not self._stopped.is_set():
            if self._pace.bucket.take(now, waited_seconds=now - began):
                return
            self._sleep(self._pace.bucket.wait(now))
            now = self._clock()
        raise Stopped("no further request goes to the video host")

    def _hear_retry_after(self) -> None:
        word = self._conversation.heard.retry_after
        seconds = retry_after(
            word, now_wall=self._wall_clock(), cap=self._options.retry_after_cap_seconds
        )
        if seconds is not None:
            self._pace.heard_retry_after(self._clock(), seconds)

    def _judge(self, transcript: Transcript) -> None:
        """Open the circuit at the first refusal, and at the third failure in a row."""
        circuit, now = self._pace.circuit, self._clock()
        evidence = f"{transcript.reason} for video {transcript.video_id}"
        if transcript.outcome is TranscriptOutcome.BLOCKED:
            while circuit.mode is not Mode.OPEN:
                circuit.record(now, Category.RATE_LIMITED, evidence)
        elif transcript.outcome is TranscriptOutcome.FAILED:
            circuit.record(now, Category.NETWORK, evidence)
        else:
            circuit.record_success(now)

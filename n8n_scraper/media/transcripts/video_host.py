"""Ask the video host at its own pace, and leave it alone when it blocks us."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

from n8n_scraper.core.errors import ScraperError
from n8n_scraper.core.transcript import Transcript, TranscriptOutcome
from n8n_scraper.media.transcripts.library import Library
from n8n_scraper.media.transcripts.options import VIDEO_DOMAIN, TranscriptSettings
from n8n_scraper.media.transcripts.session import Conversation, open_session
from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.pace.domain_state import DomainState, Rules, Step
from n8n_scraper.policies.pace.pace import LOOK_SECONDS, Pace, Question
from n8n_scraper.policies.pace.pace_store import MemoryPaceStore, PaceStore
from n8n_scraper.policies.pace.server_word import retry_after

Clock = Callable[[], float]


class HostIsResting(ScraperError):
    """The host is left alone for now; the video stays pending."""


class Stopped(ScraperError):
    """We are to stop while a request was waiting for its turn; the video stays pending."""


class VideoHost:
    """The video host: a bucket that every HTTP request draws on, and a circuit for all videos.

    It belongs to one thread at a time; only `stop` may be called from anywhere. Its pace is kept in
    a store, and so shared with all who ask the host by it. One video is the probe.
    """

    def __init__(
        self,
        options: TranscriptSettings,
        store: PaceStore | None = None,
        *,
        clock: Clock = time.monotonic,
        wall_clock: Clock = time.time,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        self._options = options
        self._store = store or MemoryPaceStore(clock)
        self._clock = clock
        self._wall_clock = wall_clock
        self._stopped = threading.Event()
        self._sleep = sleep or self._stopped.wait
        self._pace = Pace(VIDEO_DOMAIN, Rules(options.limits, options.circuit))
        self._conversation = Conversation()
        session = open_session(self._take_token, self._conversation, options.stand_in)
        self._library = Library(session, self._conversation, options.languages, options.proxy)

    def look(self) -> None:
        """Find out how the host was left, by whichever process."""
        self._tell(DomainState.met)

    def rests_for(self) -> float:
        """The seconds that the host is still to be left alone."""
        now = self._clock()
        return max(self._pace.left_alone_for(now), self._pace.held_for(now))

    def refuses(self) -> bool:
        """Whether it rests because it has refused us, not because it did not answer."""
        return self._pace.circuit.reason == Category.RATE_LIMITED

    def fetch(self, video_id: str) -> Transcript:
        """Ask for a video; it takes the time that its requests have to wait."""
        self.look()
        self._refuse_while_it_rests()
        transcript = self._library.ask(video_id)
        self._hear_retry_after()
        self._judge(transcript)
        return transcript

    def stop(self) -> None:
        """Let no further request go."""
        self._stopped.set()

    def close(self) -> None:
        """Need the store no more."""
        self._store.close()

    def _take_token(self) -> None:
        began = now = self._clock()
        while not self._stopped.is_set():
            if question := self._pace.ask(now) or self._pace.news(now):
                self._put(question)
            elif self._pace.take(now, waited_seconds=now - began, as_probe=True):
                self._pace.probe_goes_on()
                return
            else:
                self._refuse_while_it_rests()
                self._sleep(min(self._pace.wait(now) or 0.0, LOOK_SECONDS))
            now = self._clock()
        raise Stopped("no further request goes to the video host")

    def _refuse_while_it_rests(self) -> None:
        if not self._pace.probe and (seconds := self.rests_for()):
            raise HostIsResting(f"the video host is left alone for {seconds:.0f} s more")

    def _hear_retry_after(self) -> None:
        word = self._conversation.heard.retry_after
        seconds = retry_after(
            word, now_wall=self._wall_clock(), cap=self._options.retry_after_cap_seconds
        )
        if seconds is not None:
            self._tell(self._pace.retry_after(seconds))

    def _judge(self, transcript: Transcript) -> None:
        """Open the circuit at the first refusal, and at the third failure in a row."""
        evidence = f"{transcript.reason} for video {transcript.video_id}"
        if transcript.outcome is TranscriptOutcome.BLOCKED:
            reason = str(Category.RATE_LIMITED)
            rules = self._pace.rules
            self._tell(
                partial(DomainState.left_alone, rules=rules, reason=reason, evidence=evidence)
            )
            return
        failed = transcript.outcome is TranscriptOutcome.FAILED
        category = Category.NETWORK if failed else None
        step = self._pace.result(self._clock(), category, evidence, probe=self._pace.probe)
        if step is not None:
            self._tell(step)

    def _tell(self, step: Step) -> None:
        self._put(lambda store: store.change(VIDEO_DOMAIN, step))

    def _put(self, question: Question) -> None:
        if self._stopped.is_set():
            raise Stopped("the video host is asked nothing more")
        asked_at = self._clock()
        seen = question(self._store)
        self._pace.hear(seen, asked_at=asked_at, heard_at=self._clock())

"""Fetch what is missing, one video after the other, and say what is left and why."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.transcript import Transcript, TranscriptOutcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.pace_store import DatabasePaceStore
from n8n_scraper.media.transcripts.options import VIDEO_DOMAIN, TranscriptSettings
from n8n_scraper.media.transcripts.video_host import HostIsResting, VideoHost
from n8n_scraper.policies.run.progress import duration, so_many
from n8n_scraper.records import transcripts


class CatchingUp:
    """One call of the command: what it asked for, what came of it, what is left."""

    def __init__(
        self,
        database: Database,
        options: TranscriptSettings,
        limit: int | None = None,
        *,
        retry_failed: bool = False,
    ) -> None:
        self._database = database
        self._host = VideoHost(options, DatabasePaceStore(database))
        self._limit = limit
        self._retry_failed = retry_failed
        self.came: list[Transcript] = []
        self.left = 0
        self.rests_for = 0.0
        self.status = ExitStatus.DONE

    def fetch(self, tell: Callable[[Transcript], None]) -> None:
        """Ask for one video after the other, and tell of each when it is stored."""
        try:
            self._database.do(transcripts.note_all)
            pending = self._due(retry_failed=self._retry_failed)
            self._ask_for(pending[: self._limit], tell)
        except HostIsResting:
            pass  # since an earlier call
        except KeyboardInterrupt:
            self.status = ExitStatus.WORK_LEFT
        self.rests_for = self._host.rests_for()
        self._host.close()
        self.left = len(self._due())
        self._judge()

    def summary(self) -> str:
        """Say in one line what came, and what is left."""
        outcomes = ", ".join(f"{number} {outcome}" for outcome, number in self._outcomes().items())
        asked = so_many(len(self.came), "video")
        return f"{asked} asked for: {outcomes or 'none'}; {self.left} left."

    def advice(self) -> str:
        """Say what to do about it."""
        match self.status:
            case ExitStatus.SITE_DOWN:
                why = "blocked by the host" if self._host.refuses() else "the host does not answer"
                return (
                    f"{why}; {self.left} left; run again in {duration(self.rests_for)} or set a "
                    f"proxy (TRANSCRIPT_PROXY) and `scrapy breaker reset {VIDEO_DOMAIN}`."
                )
            case ExitStatus.WORK_LEFT:
                return f"stopped; {self.left} left; the same command goes on."
            case _:
                return "some videos failed; the same command tries them again."

    def as_json(self) -> str:
        """Say the same for a program; the texts themselves are in the database."""
        videos = [
            transcript.model_dump(mode="json", exclude={"segments", "text"})
            | {"segments": len(transcript.segments)}
            for transcript in self.came
        ]
        whole = {
            "videos": videos,
            "outcomes": self._outcomes(),
            "left": self.left,
            "blocked": self.status is ExitStatus.SITE_DOWN and self._host.refuses(),
            "status": int(self.status),
        }
        return json.dumps(whole, indent=2)

    def _due(self, *, retry_failed: bool = False) -> list[str]:
        return self._database.do(
            lambda session: transcripts.due(session, retry_failed=retry_failed)
        )

    def _ask_for(self, video_ids: list[str], tell: Callable[[Transcript], None]) -> None:
        for video_id in video_ids:
            self.came.append(self._ask(video_id))
            tell(self.came[-1])
            if self._host.rests_for():
                return

    def _ask(self, video_id: str) -> Transcript:
        transcript = self._host.fetch(video_id)
        self._database.do(lambda session: transcripts.store_noted(session, transcript))
        return transcript

    def _judge(self) -> None:
        if self.status is ExitStatus.DONE and self.rests_for:
            self.status = ExitStatus.SITE_DOWN
        elif self.status is ExitStatus.DONE and TranscriptOutcome.FAILED in self._outcomes():
            self.status = ExitStatus.FAILURES

    def _outcomes(self) -> Counter[TranscriptOutcome]:
        return Counter(transcript.outcome for transcript in self.came)

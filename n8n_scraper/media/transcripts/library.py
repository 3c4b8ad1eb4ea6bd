"""Ask for one video through youtube-transcript-api, and name every end that this can have."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import ParseError

import youtube_transcript_api as library
from requests import RequestException, Session
from youtube_transcript_api import YouTubeTranscriptApi, YouTubeTranscriptApiException
from youtube_transcript_api.proxies import GenericProxyConfig

from n8n_scraper.core.transcript import Segment, Transcript, TranscriptOutcome
from n8n_scraper.media.transcripts.captions import choose, joined
from n8n_scraper.media.transcripts.playability import outcome_of
from n8n_scraper.media.transcripts.session import Conversation

_OUTCOMES: dict[type[YouTubeTranscriptApiException], TranscriptOutcome] = {
    library.RequestBlocked: TranscriptOutcome.BLOCKED,  # IpBlocked (429, captcha) is one of these
    library.PoTokenRequired: TranscriptOutcome.BLOCKED,
    # Behind a consent page that stays, no video can be had, whatever it is.
    library.FailedToCreateConsentCookie: TranscriptOutcome.BLOCKED,
    library.AgeRestricted: TranscriptOutcome.AGE_LIMITED,
    library.TranscriptsDisabled: TranscriptOutcome.DISABLED,
    library.NoTranscriptFound: TranscriptOutcome.NO_CAPTIONS,
    library.VideoUnavailable: TranscriptOutcome.REMOVED,
}
_ODD = (LookupError, TypeError, AttributeError, ValueError, ParseError, RecursionError)
"""What the library stumbles with over an answer of a shape that it does not know."""


class Library:
    """The library, with its requests on a session of ours; used by one thread at a time."""

    def __init__(
        self,
        session: Session,
        conversation: Conversation,
        languages: Sequence[str] = ("en",),
        proxy: str | None = None,
    ) -> None:
        self._conversation = conversation
        self._languages = languages
        proxies = GenericProxyConfig(http_url=proxy, https_url=proxy) if proxy else None
        self._api = YouTubeTranscriptApi(proxy_config=proxies, http_client=session)

    def ask(self, video_id: str) -> Transcript:
        """Give what the video says, or why that could not be had; it raises nothing of its own."""
        self._conversation.begin()
        try:
            return self._captions(video_id)
        except YouTubeTranscriptApiException as error:
            return self._ended(video_id, self._outcome(error), error)
        except RequestException as error:
            unreached = f"the host could not be reached ({type(error).__name__})"
            return Transcript(video_id=video_id, outcome=TranscriptOutcome.FAILED, reason=unreached)
        except _ODD as error:
            if self._conversation.heard.withheld:
                return Transcript(
                    video_id=video_id, outcome=TranscriptOutcome.BLOCKED, reason="empty answer"
                )
            return self._ended(video_id, TranscriptOutcome.FAILED, error)

    def _captions(self, video_id: str) -> Transcript:
        captions = choose(self._api.list(video_id), self._languages)
        if captions is None:
            return _without(video_id, "the host offers none")
        fetched = captions.fetch()
        segments = [
            Segment(start=one.start, duration=one.duration, text=one.text) for one in fetched
        ]
        text = joined(segment.text for segment in segments)
        if not text:
            return _without(video_id, "those offered are empty")
        return Transcript(
            video_id=video_id,
            outcome=TranscriptOutcome.OK,
            language=fetched.language_code,
            generated=fetched.is_generated,
            segments=segments,
            text=text,
        )

    def _outcome(self, error: YouTubeTranscriptApiException) -> TranscriptOutcome:
        if isinstance(error, library.VideoUnplayable):
            return outcome_of(self._conversation.heard.playability)
        for kind, outcome in _OUTCOMES.items():
            if isinstance(error, kind):
                return outcome
        return TranscriptOutcome.FAILED

    def _ended(self, video_id: str, outcome: TranscriptOutcome, error: Exception) -> Transcript:
        # The library's own words run over a page and may name a proxy; its types say it all.
        reason = type(error).__name__
        heard = self._conversation.heard
        if isinstance(error, library.YouTubeRequestFailed | library.IpBlocked):
            reason += f", status {heard.status}"
        if isinstance(error, library.VideoUnplayable):
            reason += f", {(heard.playability or {}).get('status')}"
        return Transcript(video_id=video_id, outcome=outcome, reason=reason)


def _without(video_id: str, reason: str) -> Transcript:
    return Transcript(video_id=video_id, outcome=TranscriptOutcome.NO_CAPTIONS, reason=reason)

"""A local stand-in of the video host: its watch page, player answer and caption files.

The shapes are those that youtube-transcript-api 1.2.4 reads.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

BEHAVIOURS = (
    "ok",
    "no_captions",  # a list of captions without any
    "empty_captions",  # captions without a word
    "withheld_captions",  # status 200 and not a byte
    "garbled_captions",
    "disabled",
    "private",
    "removed",
    "deleted_by_uploader",
    "age_limited",
    "age_check",
    "not_a_bot",
    "unheard_of_login",  # a refusal in words that nobody knows yet
    "po_token",
    "too_many_requests",
    "captcha",
    "consent",  # a consent page, passed with its cookie
    "endless_consent",
    "server_error",
    "unreadable",  # a page without what the library looks for
    "hang_up",
    "garbled_player",
    "bottomless_player",  # lists in lists, deeper than any reader goes
)

_GARBLED = {"garbled_player": "[", "bottomless_player": "[" * 100_000}
_LOGIN, _ERROR = "LOGIN_REQUIRED", "ERROR"
_PLAYABILITY: dict[str, dict[str, Any]] = {
    "private": {
        "status": _LOGIN,
        "reason": "Private video",
        "messages": ["This is a private video. Please sign in to verify that you may see it."],
    },
    "removed": {"status": _ERROR, "reason": "This video is unavailable"},
    "deleted_by_uploader": {
        "status": _ERROR,
        "reason": "Video unavailable",
        "errorScreen": {
            "playerErrorMessageRenderer": {
                "subreason": {"runs": [{"text": "This video has been removed by the uploader"}]}
            }
        },
    },
    "age_limited": {"status": _LOGIN, "reason": "This video may be inappropriate for some users."},
    "age_check": {"status": "AGE_CHECK_REQUIRED", "reason": "Sign in"},
    "not_a_bot": {"status": _LOGIN, "reason": "Sign in to confirm you’re not a bot"},
    "unheard_of_login": {"status": _LOGIN, "reason": "Please prove that you have a heartbeat"},
}
_CONSENT = (
    '<html><form action="https://consent.youtube.com/s" method="POST">'
    '<input type="hidden" name="v" value="cb.20260101-00-p0.en+FX+119"></form></html>'
)
_CAPTCHA = '<html><form id="captcha-form"><div class="g-recaptcha"></div></form></html>'
_WATCH = '<html><script>ytcfg.set({"INNERTUBE_API_KEY":"stand-in-key"});</script></html>'
_SAID = ((0.0, 1.5, "Hello &amp; welcome"), (1.5, 2.25, "to this <i>workflow</i>"))


@dataclass(frozen=True, slots=True)
class Track:
    """Captions that the host offers for a video."""

    language: str = "en"
    generated: bool = False


@dataclass(slots=True)
class Asked:
    """One request that the host saw, in seconds on the monotonic clock."""

    at: float
    path: str
    video_id: str | None
    cookie: str


@dataclass(slots=True)
class RunningVideoHost:
    """A running stand-in: where it is, what it saw, and how it behaves."""

    url: str = ""
    behaviour: str = "ok"
    """Towards every video that `videos` does not name."""
    videos: dict[str, str] = field(default_factory=dict)
    tracks: dict[str, list[Track]] = field(default_factory=dict)
    latency_seconds: float = 0.0
    log: list[Asked] = field(default_factory=list)

    def of(self, video_id: str | None) -> str:
        """How it behaves towards a video."""
        return self.videos.get(str(video_id), self.behaviour)

    def asked_for(self) -> list[str | None]:
        """The videos whose watch page was asked for, in that order."""
        return [asked.video_id for asked in self.log if asked.path == "/watch"]


@contextmanager
def running_video_host(
    behaviour: str = "ok", latency_seconds: float = 0.0, **videos: str
) -> Iterator[RunningVideoHost]:
    """Run a stand-in on a free port of this machine for as long as the block lasts."""
    host = RunningVideoHost(
        behaviour=behaviour, latency_seconds=latency_seconds, videos=dict(videos)
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(host))
    server.daemon_threads = True
    server.block_on_close = False
    host.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(host: RunningVideoHost) -> type[BaseHTTPRequestHandler]:
    class Handler(_VideoHandler):
        video_host = host

    return Handler


class _VideoHandler(BaseHTTPRequestHandler):
    video_host: RunningVideoHost
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """Answer the watch page or a caption file."""
        parts = urlsplit(self.path)
        video_id = parse_qs(parts.query).get("v", [None])[0]
        self._note(parts.path, video_id)
        if parts.path == "/watch":
            self._watch(self.video_host.of(video_id))
        elif parts.path == "/api/timedtext":
            self._captions(self.video_host.of(video_id))
        else:
            self._send("nothing here", status=404)

    def do_POST(self) -> None:
        """Answer as the player's interface does."""
        length = int(self.headers.get("Content-Length", 0))
        video_id = json.loads(self.rfile.read(length)).get("videoId")
        self._note(urlsplit(self.path).path, video_id)
        garbled = _GARBLED.get(self.video_host.of(video_id))
        answer = garbled or json.dumps(self._player(video_id))
        self._send(answer, kind="application/json")

    def log_message(self, *_: Any) -> None:
        """Say nothing; the log is for the tests."""

    def _note(self, path: str, video_id: str | None) -> None:
        cookie = self.headers.get("Cookie", "")
        self.video_host.log.append(Asked(time.monotonic(), path, video_id, cookie))
        time.sleep(self.video_host.latency_seconds)

    def _watch(self, behaviour: str) -> None:
        agreed = "CONSENT=YES" in self.headers.get("Cookie", "")
        match behaviour:
            case "too_many_requests":
                self._send("slow down", status=429, retry_after="7")
            case "captcha":
                self._send(_CAPTCHA)
            case "server_error":
                self._send("oh dear", status=503)
            case "unreadable":
                self._send("<html>something new</html>")
            case "hang_up":
                self.close_connection = True
            case "endless_consent":
                self._send(_CONSENT)
            case "consent" if not agreed:
                self._send(_CONSENT)
            case _:
                self._send(_WATCH)

    def _player(self, video_id: str) -> dict[str, Any]:
        behaviour = self.video_host.of(video_id)
        if said := _PLAYABILITY.get(behaviour):
            return {"playabilityStatus": said}
        answer: dict[str, Any] = {"playabilityStatus": {"status": "OK"}}
        if behaviour != "disabled":
            answer["captions"] = {
                "playerCaptionsTracklistRenderer": {"captionTracks": self._tracks(video_id)}
            }
        return answer

    def _tracks(self, video_id: str) -> list[dict[str, Any]]:
        behaviour = self.video_host.of(video_id)
        offered = self.video_host.tracks.get(video_id, [Track()])
        return (
            []
            if behaviour == "no_captions"
            else [_track(video_id, one, behaviour) for one in offered]
        )

    def _captions(self, behaviour: str) -> None:
        match behaviour:
            case "empty_captions":
                self._send(_transcript(()), kind="text/xml")
            case "withheld_captions":
                self._send("", kind="text/html")
            case "garbled_captions":
                self._send("<html><p>not captions", kind="text/html")
            case _:
                self._send(_transcript(_SAID), kind="text/xml")

    def _send(
        self, text: str, *, status: int = 200, kind: str = "text/html", retry_after: str = ""
    ) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        if retry_after:
            self.send_header("Retry-After", retry_after)
        self.end_headers()
        self.wfile.write(body)


def _track(video_id: str, track: Track, behaviour: str) -> dict[str, Any]:
    address = f"https://www.youtube.com/api/timedtext?v={video_id}&lang={track.language}&fmt=srv3"
    if behaviour == "po_token":
        address += "&exp=xpe"
    said = {
        "baseUrl": address,
        "name": {"runs": [{"text": track.language}]},
        "languageCode": track.language,
        "isTranslatable": False,
    }
    return said | ({"kind": "asr"} if track.generated else {})


def _transcript(said: tuple[tuple[float, float, str], ...]) -> str:
    texts = "".join(
        f'<text start="{start}" dur="{duration}">{escape(text)}</text>'
        for start, duration, text in said
    )
    return f'<?xml version="1.0" encoding="utf-8" ?><transcript>{texts}</transcript>'

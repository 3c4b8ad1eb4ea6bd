"""Find the real videos that texts link to, and apart from them channels, playlists and the like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from n8n_scraper.sources.n8n.item import Video, VideoLink

Kind = Literal["video", "short", "live"]
OtherKind = Literal["channel", "playlist", "feed", "footer", "elsewhere"]

# Two words of that length name an embedded playlist and a channel's live stream.
_ID = r"(?P<id>(?!videoseries|live_stream)[A-Za-z0-9_-]{11})(?![A-Za-z0-9_-])"
# The name of a host begins here: what merely ends like one is another host.
_START = r"(?<![A-Za-z0-9_-])"
_HOST = rf"{_START}(?i:youtube(?:-nocookie)?\.com)"
# What stands between a path and the part of the query that is looked for.
_QUERY = r"/?\?(?:[^\s\"'<>)\]]{0,300}?&(?:amp;)?)?"
# Every form of address counted in the recorded templates, each with one of what it cannot be
# without, in small letters; a thumbnail names its video too.
_FORMS: dict[re.Pattern[str], tuple[Kind, tuple[str, ...]]] = {
    re.compile(rf"{_START}(?i:youtu\.be)/{_ID}"): ("video", ("youtu.be/",)),
    re.compile(rf"{_HOST}/(?:embed|v|e)/{_ID}"): ("video", ("/embed/", "/v/", "/e/")),
    re.compile(rf"{_HOST}/shorts/{_ID}"): ("short", ("/shorts/",)),
    re.compile(rf"{_HOST}/live/{_ID}"): ("live", ("/live/",)),
    re.compile(
        rf"(?:{_HOST}|{_START}(?i:youtu\.be))/watch{_QUERY}v={_ID}"
    ): ("video", ("/watch",)),
    re.compile(rf"{_HOST}(?:/|%2F)watch%3Fv%3D{_ID}"): ("video", ("watch%3fv%3d",)),
    re.compile(
        rf"{_START}(?i:img\.youtube\.com|i\d?\.ytimg\.com)/vi(?:_webp)?/{_ID}"
    ): ("video", ("/vi/", "/vi_webp/")),
    re.compile(rf"@\[youtube\]\(\s*{_ID}\s*\)"): ("video", ("@[youtube](",)),
}  # fmt: skip
# What people write where an id belongs, and that happens to be as long as one.
_PLACEHOLDER = re.compile(r"(?:(?=[A-Z_-]*(?:ID|VIDEO|YOUR|XXX))[A-Z_-]{11})|[xX]{11}")
# How each kind is known, how its address is written down, so that each is listed once, and one of
# what it cannot be without, in small letters.
_OTHERS: dict[re.Pattern[str], tuple[OtherKind, str, tuple[str, ...]]] = {
    # The site's own channel, which its pages end with.
    re.compile(rf"{_HOST}/(c/n8n-io)(?![\w-])"): ("footer", "www.youtube.com/", ("/c/n8n-io",)),
    re.compile(
        rf"{_HOST}/(?!c/n8n-io(?![\w-]))((?:@|(?:c|channel|user)/)[\w.%-]{{1,100}})"
    ): ("channel", "www.youtube.com/", ("com/@", "/c/", "/channel/", "/user/")),
    re.compile(
        rf"{_HOST}/(?:playlist|watch|embed/videoseries){_QUERY}list=([\w-]{{10,60}})"
    ): ("playlist", "www.youtube.com/playlist?list=", ("list=",)),
    re.compile(
        rf"{_HOST}/feeds/videos\.xml{_QUERY}((?:channel_id|playlist_id|user)=[\w-]{{3,60}})"
    ): ("feed", "www.youtube.com/feeds/videos.xml?", ("/feeds/videos.xml",)),
    re.compile(
        rf"{_START}(?i:loom\.com)/((?:share|embed)/[0-9a-f]{{32}})"
    ): ("elsewhere", "www.loom.com/", ("loom.com/",)),
    re.compile(
        rf"{_START}(?i:vimeo\.com)/(?:video/)?(\d{{5,12}})(?!\d)"
    ): ("elsewhere", "vimeo.com/", ("vimeo.com/",)),
}  # fmt: skip
# Most texts are done with this one look.
_SIGNS = ("youtu", "ytimg", "loom.com", "vimeo")
_ESCAPED = re.compile(r"\\([_-])")


def videos_in(texts: Iterable[tuple[str, str]]) -> list[Video]:
    """List each video once, with every place (`description`, `note` …) that names it."""
    kinds: dict[str, Kind] = {}
    places: dict[str, list[str]] = {}
    for place, text in _worth_a_look(texts):
        for video_id, kind in _named(text):
            if kind != "video" or video_id not in kinds:
                kinds[video_id] = kind
            _note(places, video_id, place)
    return [
        Video(
            video_id=video_id,
            host="youtube",
            url=f"https://www.youtube.com/watch?v={video_id}",
            kind=kind,
            places=places[video_id],
        )
        for video_id, kind in kinds.items()
    ]


def other_video_links_in(texts: Iterable[tuple[str, str]]) -> list[VideoLink]:
    """List each channel, playlist, feed and video of another host once, with its places."""
    kinds: dict[str, OtherKind] = {}
    places: dict[str, list[str]] = {}
    for place, text in _worth_a_look(texts):
        for url, kind in _linked(text):
            kinds.setdefault(url, kind)
            _note(places, url, place)
    return [VideoLink(kind=kind, url=url, places=places[url]) for url, kind in kinds.items()]


def _worth_a_look(texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for place, text in texts:
        lowered = text.lower()
        if any(sign in lowered for sign in _SIGNS):
            yield place, text


def _note(places: dict[str, list[str]], name: str, place: str) -> None:
    if place not in places.setdefault(name, []):
        places[name].append(place)


def _named(text: str) -> Iterator[tuple[str, Kind]]:
    text = _ESCAPED.sub(r"\1", text)  # in Markdown these may be written with a backslash
    lowered = text.lower()
    found = [
        (match.start(), match["id"], kind)
        for form, (kind, signs) in _FORMS.items()
        if any(sign in lowered for sign in signs)
        for match in form.finditer(text)
        if not _PLACEHOLDER.fullmatch(match["id"])
    ]
    return ((video_id, kind) for _, video_id, kind in sorted(found))


def _linked(text: str) -> Iterator[tuple[str, OtherKind]]:
    text = _ESCAPED.sub(r"\1", text)
    lowered = text.lower()
    found = [
        (match.start(), f"https://{start}{match[1].rstrip('.')}", kind)
        for form, (kind, start, signs) in _OTHERS.items()
        if any(sign in lowered for sign in signs)
        for match in form.finditer(text)
    ]
    return ((url, kind) for _, url, kind in sorted(found))

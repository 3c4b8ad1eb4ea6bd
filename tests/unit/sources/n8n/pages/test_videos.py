"""Real videos: no channel, no playlist, no footer; one entry an id."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.sources.n8n.item import Video, VideoLink
from n8n_scraper.sources.n8n.pages.videos import other_video_links_in, videos_in

ID = "dQw4w9WgXcQ"


@pytest.mark.parametrize(
    "text",
    [
        f"https://www.youtube.com/watch?v={ID}",  # 251 descriptions
        f"https://youtube.com/watch?v={ID}&t=42s",
        f"https://m.youtube.com/watch?v={ID}",
        f"https://www.youtube.com/watch?app=desktop&v={ID}",
        f"https://www.youtube.com/watch?list=PL123&amp;v={ID}",
        f"youtube.com/watch?v={ID}",
        f"https://youtu.be/{ID}",  # 241
        f"https://youtu.be/watch?v={ID}",  # 1 of the recorded answers
        f"https://www.YouTube.com/watch?v={ID}",
        f"https://www.youtube.com/watch/?v={ID}",
        f"https://accounts.example/?continue=youtube.com%2Fwatch%3Fv%3D{ID}",
        f"https://youtu.be/{ID}?si=Qh4rbOur0000",
        f"[Watch]( https://youtu.be/{ID} )",
        f"[![](https://img.youtube.com/vi/{ID}/0.jpg)](x)",  # a thumbnail: 176
        f"https://i.ytimg.com/vi/{ID}/hqdefault.jpg",
        f"https://i3.ytimg.com/vi_webp/{ID}/hqdefault.webp",
        f"https://www.youtube.com/shorts/{ID}",  # 3907, 4345, 8309
        f"https://www.youtube.com/live/{ID}?feature=share",  # 7632
        f"https://www.youtube.com/embed/{ID}",  # 2043
        f"https://www.youtube-nocookie.com/embed/{ID}",
        f"https://www.youtube.com/v/{ID}",
        f"@[youtube]({ID})",  # 173 notes
        f"@[youtube]( {ID} )",
        f'<iframe src="https://www.youtube.com/embed/{ID}"></iframe>',
    ],
)
def test_every_form_of_address_names_the_video(text: str) -> None:
    (found,) = videos_in([("description", text)])

    assert found == Video(
        video_id=ID,
        host="youtube",
        url=f"https://www.youtube.com/watch?v={ID}",
        kind="short" if "/shorts/" in text else "live" if "/live/" in text else "video",
        places=["description"],
    )


@pytest.mark.parametrize(
    "text",
    [
        "https://www.youtube.com/c/n8n-io",  # the footer of every page
        "https://www.youtube.com/@nicksaraev",  # a channel: 451 notes
        "https://www.youtube.com/channel/UCiHt8jXTPTgSr7G3Cqv8MNg",
        "https://www.youtube.com/user/abcdefghijk",
        "https://www.youtube.com/playlist?list=PLlET0GsrLUL7LWMf4Q3gHNu5mk",  # 4889
        "https://www.youtube.com/embed/videoseries?list=PLlET0GsrLUL7LWMf4",
        "https://www.youtube.com/embed/live_stream?channel=UCiHt8jXTPTgSr7G3",
        "https://www.youtube.com/feeds/videos.xml?channel_id=UCiHt8jXTPTgSr7",
        "https://www.youtube.com/results?search_query=abcdefghijk",
        "https://www.googleapis.com/upload/youtube/v3/videos?part=snippet",
        "https://www.googleapis.com/auth/youtube.upload",
        "https://n8n.io/workflows/5-youtube-to-blog-post/",
        "https://www.youtube.com/watch?v=YOUR_VIDEO_ID",  # thirteen characters
        "https://www.youtube.com/watch?v=short",
        "https://www.youtube.com/watch?v={{ $json.id }}",
        f"https://notyoutube.com/watch?v={ID}",
        f"https://my-youtu.be/{ID}",
        f"https://www.youtube.com/watch?text=a b&v={ID}",  # a space ends an address
        f"@[vimeo]({ID})",
        "https://www.youtube.com/",
        ID,
        "",
    ],
)
def test_what_is_no_video_is_none(text: str) -> None:
    assert videos_in([("description", text)]) == []


def test_a_video_is_listed_once_with_every_place_that_names_it() -> None:
    found = videos_in(
        [
            ("description", f"[![](https://img.youtube.com/vi/{ID}/0.jpg)](https://youtu.be/{ID})"),
            ("note", "https://youtu.be/AAAAAAAAAAA"),
            ("note", f"@[youtube]({ID}) and again https://youtu.be/{ID}"),
        ]
    )

    assert [(video.video_id, video.places) for video in found] == [
        (ID, ["description", "note"]),
        ("AAAAAAAAAAA", ["note"]),
    ]


def test_videos_come_in_the_order_of_the_text() -> None:
    text = "@[youtube](AAAAAAAAAAA) https://youtu.be/BBBBBBBBBBB @[youtube](CCCCCCCCCCC)"

    found = videos_in([("note", text)])

    assert [video.video_id[0] for video in found] == ["A", "B", "C"]


@pytest.mark.parametrize("part", ["youtube.com/watch?", "@[youtube](", "youtu.be/", "watch?&v="])
def test_a_text_made_to_be_slow_is_not(part: str) -> None:
    assert videos_in([("note", part * 20_000)]) == []


@given(st.lists(st.tuples(st.just("note"), st.text(st.characters()))))
def test_no_text_makes_it_raise(texts: list[tuple[str, str]]) -> None:
    assert isinstance(videos_in(texts), list)


def test_an_id_may_be_written_with_backslashes() -> None:
    (found,) = videos_in([("note", r"https://youtu.be/a\_b\-cdefghi")])

    assert found.video_id == "a_b-cdefghi"


@pytest.mark.parametrize("word", ["YOURVIDEOID", "VIDEO_ID_XX", "xxxxxxxxxxx", "YOUR-VID-ID"])
def test_a_placeholder_is_no_video(word: str) -> None:
    assert videos_in([("note", f"https://youtu.be/{word}")]) == []


def test_the_more_special_kind_wins() -> None:
    texts = [("description", f"youtu.be/{ID} youtube.com/shorts/{ID} youtube.com/watch?v={ID}")]

    assert [video.kind for video in videos_in(texts)] == ["short"]


@pytest.mark.parametrize(
    ("text", "kind", "url"),
    [
        ("https://www.youtube.com/@nick.s/videos", "channel", "https://www.youtube.com/@nick.s"),
        ("youtube.com/@nick.", "channel", "https://www.youtube.com/@nick"),
        ("https://youtube.com/c/abc", "channel", "https://www.youtube.com/c/abc"),
        ("https://youtube.com/channel/UC123", "channel", "https://www.youtube.com/channel/UC123"),
        ("https://youtube.com/user/abc)", "channel", "https://www.youtube.com/user/abc"),
        ("https://www.youtube.com/c/n8n-io", "footer", "https://www.youtube.com/c/n8n-io"),
        ("https://www.youtube.com/c/n8n-io/x", "footer", "https://www.youtube.com/c/n8n-io"),
        (
            "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1234567890",
            "playlist",
            "https://www.youtube.com/playlist?list=PL1234567890",
        ),
        ("https://www.youtube.com/feeds/videos.xml?channel_id={{x}}", None, None),
        (
            "https://www.youtube.com/feeds/videos.xml?channel_id=UC12",
            "feed",
            "https://www.youtube.com/feeds/videos.xml?channel_id=UC12",
        ),
        ("https://vimeo.com/123456", "elsewhere", "https://vimeo.com/123456"),
        (
            "https://www.loom.com/share/0123456789abcdef0123456789abcdef?x",
            "elsewhere",
            "https://www.loom.com/share/0123456789abcdef0123456789abcdef",
        ),
        ("https://www.youtube.com/results?search_query=n8n", None, None),
        ("https://notyoutube.com/@nick", None, None),
    ],
)
def test_other_links_to_videos_are_told_apart(text: str, kind: str | None, url: str | None) -> None:
    found = other_video_links_in([("note", text), ("page", text)])

    if kind is None:
        assert found == []
    else:
        assert found == [VideoLink(kind=kind, url=url, places=["note", "page"])]

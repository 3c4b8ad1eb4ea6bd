"""Writes descriptions that explain without words, or with nothing else: the site has them all."""

from n8n_scraper.sources.n8n.replica.descriptions import attach_images, video_id
from n8n_scraper.sources.n8n.replica.drafts import Draft

_FRAME = '<iframe src="https://www.loom.com/embed/{number:032x}" allowfullscreen></iframe>'
_VIDEO = '<video src="https://media.example.com/{number}.mp4" controls></video>'


def picture_only(draft: Draft) -> None:
    """Explain by one picture and nothing else; 130 of 7,600 templates, such as 401 and 410."""
    _show(draft, 1, "![Overview](fileId:{})")


def picture_without_alt(draft: Draft) -> None:
    """Explain by one picture that nothing stands in for; such as 413."""
    _show(draft, 1, "![](fileId:{})")


def several_pictures_only(draft: Draft) -> None:
    """Explain by several pictures, one after the other."""
    _show(draft, 3, "![Screenshot](fileId:{})")


def linked_picture_only(draft: Draft) -> None:
    """Explain by a picture that leads elsewhere."""
    _show(draft, 1, "[![Overview](fileId:{})](https://docs.example.com/overview)")


def video_only(draft: Draft) -> None:
    """Explain by a video, which the page shows in a frame; the mark is that of 5795."""
    number = video_id(draft.rng)
    _write(draft, f"@[youtube]({number})", videos=[number])


def frame_only(draft: Draft) -> None:
    """Explain by a frame with a video of another host, written as HTML."""
    _write(draft, _FRAME.format(number=draft.rng.getrandbits(128)))


def video_element_only(draft: Draft) -> None:
    """Explain by HTML's own element for videos; 6 templates have one."""
    _write(draft, _VIDEO.format(number=draft.rng.getrandbits(32)))


def plain_text_only(draft: Draft) -> None:
    """Explain in one paragraph without any mark."""
    _write(draft, "Every hour this workflow reads the new rows of a table and tells the team.")


def empty_description(draft: Draft) -> None:
    """Explain nothing at all; in no recording, and a page like any other."""
    _write(draft, "")


DESCRIPTION_ODDITIES = (
    picture_only,
    picture_without_alt,
    several_pictures_only,
    linked_picture_only,
    video_only,
    frame_only,
    video_element_only,
    plain_text_only,
    empty_description,
)


def _show(draft: Draft, pictures: int, mark: str) -> None:
    _write(draft, "")
    draft.description.images = attach_images(draft.rng, pictures)
    draft.description.markdown = "\n\n".join(
        mark.format(image["id"]) for image in draft.description.images
    )


def _write(draft: Draft, markdown: str, videos: list[str] | None = None) -> None:
    draft.description.markdown = markdown
    draft.description.images = []
    draft.description.videos = videos or []

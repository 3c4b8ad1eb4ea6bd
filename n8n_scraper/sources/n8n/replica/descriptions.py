"""Writes the Markdown of an invented description, in the habits of real authors."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from n8n_scraper.sources.n8n.replica.words import OBJECTS, SENTENCES, SETUP_STEPS, STEPS

_IMAGE_HOSTS = (
    "https://n8niostorageaccount.blob.core.windows.net/n8nio-strapi-blobs-prod/assets/",
    "https://f000.backblazeb2.com/file/n8n-website-images/",
)

# All forms seen in real descriptions; {id} is a real video, the rest of the text is not.
VIDEO_FORMS = (
    "Watch: https://www.youtube.com/watch?v={id}",
    "[Video tutorial](https://youtu.be/{id})",
    "[Video tutorial](https://youtu.be/{id}?si=Qh4rbOur0000)",
    "[![Watch the demo](https://img.youtube.com/vi/{id}/maxresdefault.jpg)]"
    "(https://www.youtube.com/watch?v={id})",
    "[Short demo](https://www.youtube.com/shorts/{id})",
    "[Recording](https://www.youtube.com/live/{id}?feature=share)",
    "[Embedded](https://www.youtube.com/embed/{id})",
    "@[youtube]({id})",
    "Watch: https://www.youtube.com/watch?v={id}&t=42s",
)

NOT_VIDEOS = (
    "Subscribe to [our channel](https://www.youtube.com/@copperleafautomations).",
    "[All episodes](https://www.youtube.com/playlist?list=PLcopperleaf000000000000000000000)",
    "More at https://www.youtube.com/c/copperleafautomations",
)

_TABLE = (
    "| Setting | Example | Purpose |\n"
    "| --- | --- | --- |\n"
    "| `TABLE_ID` | `tbl-demo` | where rows come from |\n"
    "| `CHANNEL` | `#updates` | who is told |"
)

_CODE = '```json\n{\n  "name": "demo",\n  "items": [1, 2, 3]\n}\n```'


@dataclass(slots=True)
class Description:
    """The Markdown, and the pictures and videos it mentions."""

    markdown: str
    images: list[dict[str, Any]] = field(default_factory=list)
    videos: list[str] = field(default_factory=list)


def write_description(rng: Random, title: str, video: str | None) -> Description:
    """Write a description; one in seven has pictures, one in fifteen a table or code."""
    images = attach_images(rng, rng.randint(1, 3)) if rng.random() < 0.14 else []
    blocks = [_opening(rng, title), *_body(rng)]
    for image in images:
        blocks.insert(rng.randint(1, len(blocks)), f"![Screenshot](fileId:{image['id']})")
    if video:
        blocks.insert(rng.randint(1, len(blocks)), rng.choice(VIDEO_FORMS).format(id=video))
    if rng.random() < 0.05:
        blocks.append(rng.choice(NOT_VIDEOS))
    return Description("\n\n".join(blocks), images, [video] if video else [])


def video_id(rng: Random) -> str:
    """Invent the eleven characters of a video."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return "".join(rng.choices(letters, k=11))


def attach_images(rng: Random, count: int) -> list[dict[str, Any]]:
    """Invent uploaded pictures, each with its number and address."""
    return [
        {
            "id": (number := rng.randint(100, 9999) * 10 + place),
            "url": f"{rng.choice(_IMAGE_HOSTS)}screenshot_{number}_{rng.getrandbits(40):010x}.png",
        }
        for place in range(count)
    ]


def _opening(rng: Random, title: str) -> str:
    thing = rng.choice(OBJECTS)
    text = f"This workflow takes care of your **{thing}**. {rng.choice(SENTENCES)}"
    draw = rng.random()
    if draw < 0.12:
        return f"# {title}\n\n{text}"
    if draw < 0.2:
        return f"# Why?\n\n{text}"
    return text


def _body(rng: Random) -> list[str]:
    mark = "##" if rng.random() < 0.7 else "###"
    blocks = [
        f"{mark} Who is this for\n{rng.choice(SENTENCES)} {rng.choice(SENTENCES)}",
        f"{mark} How it works\n" + _numbered(rng.sample(STEPS, rng.randint(3, 6))),
        f"{mark} Setup steps\n" + _bulleted(rng.sample(SETUP_STEPS, rng.randint(2, 5))),
    ]
    if rng.random() < 0.18:
        return [*rng.sample(SENTENCES, rng.randint(1, 3))]
    if rng.random() < 0.07:
        blocks.append(f"{mark} Variables\n\n{_TABLE}")
    if rng.random() < 0.08:
        blocks.append(f"{mark} Example\n\n{_CODE}")
    if rng.random() < 0.4:
        blocks.append(
            f"{mark} Requirements\n- An account at [Example Cloud](https://cloud.example.com/join)\n"
            "- n8n 1.50.0 or later\n- Questions: user@example.com"
        )
    blocks += [f"{mark} Notes\n" + " ".join(rng.choices(SENTENCES, k=rng.randint(4, 14)))]
    return blocks


def _numbered(lines: list[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def _bulleted(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)

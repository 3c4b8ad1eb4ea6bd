"""Draws sticky notes: Markdown on coloured rectangles around the nodes they explain."""

from random import Random
from uuid import UUID

from n8n_scraper.sources.n8n.replica.layouts import Node, stored_order
from n8n_scraper.sources.n8n.replica.node_kinds import STICKY_NOTE
from n8n_scraper.sources.n8n.replica.words import SENTENCES, SETUP_STEPS, STEPS

_VIDEO_FORMS = (
    "@[youtube]({id})",
    "[Watch the tutorial](https://www.youtube.com/watch?v={id})",
    "https://youtu.be/{id}?si=quietharbour",
    "[![Watch](https://img.youtube.com/vi/{id}/sddefault.jpg)](https://youtu.be/{id})",
)


def draw_notes(
    rng: Random, steps: list[Node], count: int, title: str, video: str | None
) -> list[Node]:
    """Draw this many notes; the first is an overview and carries the video, if there is one."""
    notes = []
    for number in range(count):
        content = _overview(title, rng) if number == 0 else _explanation(rng, number)
        if number == 0 and video:
            content += "\n\n" + rng.choice(_VIDEO_FORMS).format(id=video)
        notes.append(_note(rng, number, content, steps))
    return notes


def _overview(title: str, rng: Random) -> str:
    listed = "\n".join(f"{place}. {step}" for place, step in enumerate(rng.sample(STEPS, 3), 1))
    return f"## {title}\n\n### How it works\n{listed}\n\n### Setup\n- {rng.choice(SETUP_STEPS)}"


def _explanation(rng: Random, number: int) -> str:
    text = f"## Step {number}\n{rng.choice(SENTENCES)}"
    if rng.random() < 0.06:
        text += "\n\n![canvas](https://img.example.com/notes/canvas.png)"
    if rng.random() < 0.02:
        text += '<br><a href="https://docs.example.com/">More</a>'
    if rng.random() < 0.05:
        text += "\n[Our channel](https://www.youtube.com/@copperleafautomations)"
    return text


def _note(rng: Random, number: int, content: str, steps: list[Node]) -> Node:
    left, top = rng.choice(steps)["position"]
    node: Node = {
        "id": str(UUID(int=rng.getrandbits(128), version=4)),
        "name": f"Sticky Note{number or ''}",
        "type": STICKY_NOTE,
        "position": [left - 40, top - 120],
        "parameters": {
            "color": rng.randint(1, 7),
            "width": rng.choice((240, 460, 680)),
            "height": rng.choice((200, 320, 480)),
            "content": content,
        },
        "typeVersion": 1,
    }
    return stored_order(node)

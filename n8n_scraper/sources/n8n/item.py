"""The one contract: what a template is, shared by pages, pipelines, storage, feeds and tests.

A field that was not observed is None, and `unobserved` gives the reason under the field's name;
only `removed_at` says something by being None: that the site has the template.
`sources` tells, for each observed field, which answer it was read from.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from n8n_scraper.core.item import Item, Outcome, PartState, PartStatus, Value
from n8n_scraper.core.transcript import Transcript
from n8n_scraper.policies.safety.finding import SecretFinding
from n8n_scraper.sources.n8n.parts import Layer


class Author(Value):
    """Who published the template, as the site gives it."""

    name: str | None = None
    username: str | None = None
    bio: str | None = None
    verified: bool | None = None
    links: list[str] = Field(default_factory=list)
    avatar: str | None = None


class Section(Value):
    """A heading of the explanation with the text below it."""

    heading: str | None
    level: int
    text: str


class CodeBlock(Value):
    """A fenced or indented piece of code in the explanation."""

    language: str | None
    code: str


class Link(Value):
    """A link in the explanation."""

    text: str
    url: str


class Table(Value):
    """A table in the explanation: its first line, and the lines below it."""

    header: list[str]
    rows: list[list[str]]


class Difference(Value):
    """A sentence that one of two answers has and the other has not."""

    only_in: Literal["markdown", "page"]
    text: str


class Explainer(Value):
    """What the template's author explains about it; site chrome never in it."""

    markdown: str | None
    text: str
    page_text: str | None
    sections: list[Section]
    introduction: str | None
    how_it_works: str | None
    setup: str | None
    requirements: str | None = None
    customisation: str | None = None
    steps: list[str]
    code_blocks: list[CodeBlock]
    tables: list[Table] = Field(default_factory=list)
    links: list[Link]
    differences: list[Difference] = Field(default_factory=list)


class NoteNode(Value):
    """A node that lies in a note, and the share of the node's area that does."""

    name: str
    overlap: Annotated[float, Field(ge=0, le=1)]


class Note(Value):
    """A sticky note on the canvas, with the nodes that lie in its rectangle."""

    name: str | None
    text: str | None
    x: float | None
    y: float | None
    width: float | None
    height: float | None
    color: int | str | None
    nodes: list[NoteNode]
    about: Literal["nodes", "template"]


class Image(Value):
    """A picture that belongs to the template's content; one entry an address."""

    url: str
    alt: str | None
    places: list[str]
    file_id: int | None = None


class Video(Value):
    """A real video: no channel, playlist or footer; one entry an id."""

    video_id: str
    host: str
    url: str
    kind: Literal["video", "short", "live"] = "video"
    places: list[str]


class VideoLink(Value):
    """A link to where videos are that is no video by itself, or none of the host we know."""

    kind: Literal["channel", "playlist", "feed", "footer", "elsewhere"]
    url: str
    places: list[str]


class Agreement(Value):
    """Whether the answers say the same of a template; None where fewer than two speak of it."""

    same_id: bool | None
    same_title: bool | None
    same_workflow: bool | None
    same_text: bool | None


class Issue(Value):
    """One thing the quality check found."""

    layer: str
    code: str
    severity: str
    message: str


class Quality(Value):
    """How good the record is, and why."""

    score: float
    grade: str
    layers: dict[str, float]
    consistency: float
    issues: list[Issue]


class ImportProblem(Value):
    """A structural rule of n8n's that the workflow breaks, and where."""

    rule: str
    place: str


class UnknownType(Value):
    """A node type, or a version of one, that n8n's own packages do not have."""

    type: str
    version: float | None  # None where the type itself is unknown
    nodes: list[str]


class ImportNeeds(Value):
    """What must be there before the imported workflow can run."""

    credentials: list[str]
    packages: list[str]


class ImportCheck(Value):
    """Whether n8n takes the workflow, and what it lacks then."""

    verdict: Literal["imports", "imports with gaps", "rejected"]
    problems: list[ImportProblem]
    unknown_types: list[UnknownType]
    needs: ImportNeeds
    n8n_version: str


class Template(Item):
    """One workflow template of n8n.io: a row, a feed line, an export record."""

    workflow_id: Annotated[str, Field(pattern=r"^[1-9][0-9]*$")]
    url: str
    slug: str | None = None
    title: str | None = None
    description: str | None = None
    author: Author | None = None
    categories: list[str] | None = None
    created_at: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT")] | None = None
    last_update_text: str | None = None
    views: Annotated[int, Field(ge=0)] | None = None
    recent_views: Annotated[int, Field(ge=0)] | None = None
    price: float | None = None
    purchase_url: str | None = None

    workflow: dict[str, Any] | None = None
    node_count: int | None = None
    note_count: int | None = None
    connection_count: int | None = None
    node_types: dict[str, int] | None = None
    trigger_types: list[str] | None = None
    credential_types: list[str] | None = None
    community_nodes: list[str] | None = None

    explainer: Explainer | None = None
    notes: list[Note] | None = None
    images: list[Image] | None = None
    videos: list[Video] | None = None
    other_video_links: list[VideoLink] | None = None
    transcripts: list[Transcript] | None = None

    agreement: Agreement | None = None
    quality: Quality | None = None
    import_check: ImportCheck | None = None
    secrets: list[SecretFinding] | None = None

    outcome: Annotated[Outcome, Field(strict=False)]
    layers: dict[Annotated[Layer, Field(strict=False)], PartState]
    in_inventory: bool
    removed_at: str | None = None  # as long as the site has it
    unobserved: dict[str, str] = Field(default_factory=dict)
    sources: dict[str, str] = Field(default_factory=dict)

    content_hash: str | None = None
    run_id: str
    scraped_at: str
    processing_time: Annotated[float, Field(ge=0)]

    def __repr__(self) -> str:
        return f"Template({self.workflow_id}, {self.title!r}, {self.outcome})"

    __str__ = __repr__  # a log line names a template, it does not recite it


_SAID_BY_NULL = frozenset(("removed_at",))


def broken_promises(template: Template) -> list[str]:
    """Say in words each promise of the contract that this template breaks; none is good."""
    broken = []
    for field in Template.model_fields:
        is_null = getattr(template, field) is None and field not in _SAID_BY_NULL
        if is_null and field not in template.unobserved:
            broken.append(f"{field} is null without a reason")
        if not is_null and field in template.unobserved:
            broken.append(f"{field} has a value and a reason for having none")
    if set(template.layers) != set(Layer):
        broken.append("not every layer has a state")
    ok = any(state.status is PartStatus.OK for state in template.layers.values())
    if template.outcome in (Outcome.COMPLETE, Outcome.PARTIAL) and not ok:
        broken.append(f"outcome {template.outcome} although no layer is ok")
    return broken
